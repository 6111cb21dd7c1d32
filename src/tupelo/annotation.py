"""Annotation by people in the browser: projects, the server for several of them, and the registry of tasks."""

from tupelo.api.annotation import TASKS, AnnotationProject, ServerLimits, serve

__all__ = ["TASKS", "AnnotationProject", "ServerLimits", "serve"]
__dir__ = __all__.copy
