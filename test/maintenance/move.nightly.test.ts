import { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { killMoves } from './moves.ts';
import { testMoveUnderLoad } from './moves-under-load.ts';

for (const from of places) {
  for (const to of places) {
    testMoveUnderLoad(from, to);
    testOn({ skip: from.skip ?? to.skip })(
      `a move from ${from.name} to ${to.name} that is killed at any step leaves at most one owner`,
      () => killMoves([from.make, to.make]),
    );
  }
}
