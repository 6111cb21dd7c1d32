"""Language models behind OpenAI-compatible endpoints, with a memory on disk."""

from tupelo.io.chat.client import ChatClient, ChatError, Usage

__all__ = ["ChatClient", "ChatError", "Usage"]
