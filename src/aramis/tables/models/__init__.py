"""Every privacy model there is, one small file each. A model sees counts: no rows, no data engine."""

from aramis.tables.models.alpha import Alpha
from aramis.tables.models.beta_likeness import BetaLikeness
from aramis.tables.models.delta_disclosure import DeltaDisclosure
from aramis.tables.models.delta_presence import DeltaPresence
from aramis.tables.models.discrimination import Protection
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL, EntropyL, RecursiveCL
from aramis.tables.models.m_confidentiality import MConfidentiality
from aramis.tables.models.nt_closeness import NTCloseness
from aramis.tables.models.t_closeness import TCloseness

MODELS = (
    KAnonymity,
    DistinctL,
    EntropyL,
    RecursiveCL,
    TCloseness,
    NTCloseness,
    Alpha,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    MConfidentiality,
    Protection,
)
