import type { Stage } from './stage.ts';

/** Waits for the turn of the account, if it has used much time. */
export const takeTurn: Stage = {
  enter({ turn, treatment, route }) {
    if (treatment.takesTurn) return turn?.begin(route.operation);
    turn?.end();
    return undefined;
  },

  leave(request) {
    request.endTurn();
    return undefined;
  },
};
