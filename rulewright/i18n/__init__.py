"""What people read, in their languages: messages in Fluent, and how they are put together."""
