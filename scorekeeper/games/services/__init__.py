"""Write to games: each public function is one use case and one transaction."""
