"""What a seat may believe: worlds that fit all that it has been told, with their weights."""
