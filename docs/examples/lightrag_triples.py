import asyncio
import logging

import numpy as np
from lightrag import LightRAG
from lightrag.utils import EmbeddingFunc, Tokenizer

import tupelo
from tupelo.integrations.lightrag import custom_kg

logging.disable(logging.INFO)


# Stand-ins for the models of a real system: nothing here needs one.
class Characters:
    def encode(self, content: str) -> list[int]:
        return [*map(ord, content)]

    def decode(self, tokens: list[int]) -> str:
        return "".join(map(chr, tokens))


async def embed(texts: list[str]) -> np.ndarray:
    return np.ones((len(texts), 4))


async def answer(prompt: str, **_: object) -> str:
    raise NotImplementedError


async def main() -> None:
    with tupelo.Graph.build({"note": "Ann Lee founded Acme in Oslo. Acme is in Oslo."}, "kg.duckdb") as kg:
        given = custom_kg(kg.triples())
    rag = LightRAG(
        "rag",
        llm_model_func=answer,
        embedding_func=EmbeddingFunc(4, embed),
        tokenizer=Tokenizer("characters", Characters()),
    )
    await rag.initialize_storages()
    await rag.ainsert_custom_kg(given)
    for pair in (("Ann Lee", "Acme"), ("Acme", "Oslo")):
        print(*pair, (await rag.get_relation_info(*pair))["graph_data"]["keywords"], sep=" | ")
    await rag.finalize_storages()


asyncio.run(main())
