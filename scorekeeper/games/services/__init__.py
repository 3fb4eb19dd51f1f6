"""Every write to a game. One public function is one use case and one transaction."""
