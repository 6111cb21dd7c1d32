"""Every common task as one call: the only package that combines the others, and the insides of `import tupelo`."""
