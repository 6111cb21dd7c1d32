"""Names of the canonicalization methods, and the line that describes each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from tupelo.canon.method import CanonMethod

METHODS: Registry[Callable[..., CanonMethod]] = Registry(
    "method",
    {
        "tupelo": "tupelo.canon.methods.tupelo:TupeloMethod",
        "surface": "tupelo.canon.methods.surface:SurfaceForms",
        "tokens": "tupelo.canon.methods.tokens:TokenOverlap",
        "ngrams": "tupelo.canon.methods.ngrams:CharacterVectors",
        "hole": "tupelo.canon.methods.hole:Hole",
        "side": "tupelo.canon.methods.side:SideInformation",
        "cesi": "tupelo.canon.methods.cesi:Cesi",
        "vae-gmm": "tupelo.canon.methods.vae_gmm:VaeGmm",
        "vae-gmm-side": "tupelo.canon.methods.vae_gmm:VaeGmmSide",
        "vae-gmm-hole": "tupelo.canon.methods.vae_gmm:VaeGmmHole",
        "cuva": "tupelo.canon.methods.cuva:Cuva",
        "random": "tupelo.canon.methods.words:RandomVectors",
        "words": "tupelo.canon.methods.words:StaticVectors",
        "encoder": "tupelo.canon.methods.encoder:EncoderVectors",
    },
)

TITLES: dict[str, str] = {
    "tupelo": "words and contexts together, heads fitted on gold clusters; the default",
    "surface": "equal words, nothing else",
    "tokens": "shared words, rare ones count more; paraphrases and relation rules as side information",
    "ngrams": "vectors of characters; no model, and quick enough for millions",
    "hole": "HolE: vectors trained on the triples' structure",
    "side": "vectors drawn together by side information",
    "cesi": "CESI: structure and side information together",
    "vae-gmm": "a clustering autoencoder",
    "vae-gmm-side": "the same with side information",
    "vae-gmm-hole": "the same with HolE's structure",
    "cuva": "CUVA: clustering autoencoders with structure and side information",
    "random": "a random vector for every word; the control",
    "words": "static word vectors, from a file or out of the encoder",
    "encoder": "states of a contextual encoder, in any form, pooling and layer",
}
