"""Heavy work in processes of its own, beside the server: started ready, shared fairly, ended when no session waits."""
