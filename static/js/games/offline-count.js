export function drawCards() {}
