"""SAGO inside other tools: one file a tool. Nothing here is imported unless the user of that tool asks for it."""
