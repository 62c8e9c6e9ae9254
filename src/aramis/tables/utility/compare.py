"""What a release has lost against its original: every measure, on one scale for full-domain and local recoding."""

from dataclasses import dataclass

from aramis.tables.utility.association import Association, associations
from aramis.tables.utility.class_sizes import average_class_size, discernibility, discernibility_star
from aramis.tables.utility.classifier import Classifier, classifier
from aramis.tables.utility.information_loss import loss, ncp, non_uniform_entropy, precision
from aramis.tables.utility.marginals import marginals
from aramis.tables.utility.pair import Pair
from aramis.tables.utility.queries import QueryError, query_error
from aramis.tables.utility.variance import variance_lost


@dataclass(frozen=True, slots=True)
class Utility:
    """How much a release has lost, by every measure."""

    rows: int  # of the original
    suppressed: int
    ncp: float
    loss: float
    precision: float | None
    non_uniform_entropy: float
    discernibility: int
    discernibility_star: int
    average_class_size: float
    marginals: dict[str, float]
    variance_lost: dict[str, float]  # of columns that say means
    associations: tuple[Association, ...]
    queries: QueryError
    classifier: Classifier | None  # None: no label is named

    def by_name(self, loss: str) -> float:
        """The measure that a search goes by under this name."""
        measures = {
            "ncp": self.ncp,
            "loss": self.loss,
            "precision": self.precision,
            "entropy": self.non_uniform_entropy,
            "discernibility": self.discernibility,
            "class-size": self.average_class_size,
        }
        found = measures[loss]
        return float("nan") if found is None else float(found)

    @property
    def association_lost(self) -> float:
        """The mean change of Cramer's V over all pairs of columns."""
        changes = [abs(one.after - one.before) for one in self.associations]
        return sum(changes) / len(changes) if changes else 0.0


def compare(pair: Pair, label: str | None = None, seed: int = 0) -> Utility:
    """Every measure. `label`: the sensitive column that a classifier is to tell."""
    return Utility(
        rows=pair.before.rows,
        suppressed=pair.suppressed,
        ncp=ncp(pair),
        loss=loss(pair),
        precision=precision(pair),
        non_uniform_entropy=non_uniform_entropy(pair),
        discernibility=discernibility(pair),
        discernibility_star=discernibility_star(pair),
        average_class_size=average_class_size(pair),
        marginals=marginals(pair),
        variance_lost=variance_lost(pair),
        associations=associations(pair),
        queries=query_error(pair, seed),
        classifier=classifier(pair, label) if label is not None else None,
    )
