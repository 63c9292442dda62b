"""PostgreSQL: the backend, its sessions and its catalog."""
