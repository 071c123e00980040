"""What pages ask for: requests by HTTP, and messages over sockets."""
