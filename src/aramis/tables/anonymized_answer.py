"""The answer of an anonymization, and of a comparison, as plain values: what `--json` prints."""

from math import isnan
from typing import Any

from aramis.tables import answer as check_answer
from aramis.tables.anonymize import Anonymized
from aramis.tables.frontier import Frontier
from aramis.tables.utility.compare import Utility


def answer(found: Anonymized) -> dict[str, Any]:
    """An anonymization as one JSON object."""
    recoding = found.recoding
    return {
        "algorithm": found.algorithm.name,
        "guarantee": found.algorithm.guarantee,
        "remarks": list(recoding.remarks),
        "complete": recoding.complete,
        "generalization": None if recoding.generalization is None else dict(recoding.generalization),
        **({} if recoding.minimal is None else {"minimal": [dict(one) for one in recoding.minimal]}),
        "loss": {"name": found.loss_name, "value": None if isnan(found.loss) else found.loss},
        "suppressed": found.suppressed,
        "distorted": recoding.distorted,
        "classes": found.check.classes,
        "check": check_answer.answer(found.check),
        "utility": utility(found.utility),
        "nodes_checked": recoding.checked,
        "seconds": {step: round(seconds, 4) for step, seconds in found.seconds.items()},
    }


def frontier(found: Frontier) -> dict[str, Any]:
    """What each level costs as one JSON object."""
    return {
        "algorithm": found.how.algorithm,
        "varied": found.varied,
        "wanted": dict(found.others),
        "suppress": found.how.suppress,
        "loss": found.how.loss,
        "complete": found.complete,
        "points": [
            {
                "level": one.level,
                "loss": one.loss,
                "suppressed": one.suppressed,
                "classes": one.classes,
                "generalization": None if one.generalization is None else dict(one.generalization),
            }
            for one in found.points
        ],
        "out_of_reach": [{"level": level, "why": why} for level, why in found.out_of_reach.items()],
    }


def utility(found: Utility) -> dict[str, Any]:
    """What was lost as one JSON object."""
    return {
        "rows": found.rows,
        "suppressed": found.suppressed,
        "ncp": found.ncp,
        "loss": found.loss,
        "precision_loss": found.precision,
        "non_uniform_entropy": found.non_uniform_entropy,
        "discernibility": found.discernibility,
        "discernibility_star": found.discernibility_star,
        "average_class_size": found.average_class_size,
        "marginals": found.marginals,
        "variance_lost": found.variance_lost,
        "association": {
            "lost": found.association_lost,
            "pairs": [
                {"columns": list(one.columns), "before": one.before, "after": one.after}
                for one in found.associations
            ],
        },
        "queries": {
            "asked": found.queries.queries,
            "median_error": found.queries.median,
            "mean_error": found.queries.mean,
        },
        "classifier": _classifier(found),
    }


def _classifier(found: Utility) -> dict[str, Any] | None:
    one = found.classifier
    if one is None:
        return None
    return {
        "label": one.label,
        "majority": one.majority,
        "before": one.before,
        "after": one.after,
        "gap": one.gap,
    }
