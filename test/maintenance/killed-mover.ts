/** Moves `<from>` to `<to>` (addresses as JSON) and kills itself at a step: `killed-mover.ts <from> <to> <step>`. */
import { moveOrganization } from '../../lib/maintenance/move.ts';
import type { ChangeOptions, Keepable, RefillOptions } from '../../lib/storage/maintenance/tables.ts';
import type { Connection } from '../../lib/storage/sql/connection.ts';
import { storageAt } from '../storage/migration-places.ts';

const [from, to, step] = process.argv.slice(2) as [string, string, string];
const open = (address: string) => storageAt(JSON.parse(address)) as ReturnType<typeof storageAt> & Keepable;

/** Kills the process at the first time that the step is reached. */
function reach(name: string): void {
  if (name === step) process.kill(process.pid, 'SIGKILL');
}

type Work<T> = (connection: Connection) => Promise<T>;

let isHandingOver = false;
let changesOfSource = 0;

function nameOf(side: 'from' | 'to', { isShared = false, ignoresReferences = false }: ChangeOptions): string {
  if (side === 'to' && !ignoresReferences) return 'activation';
  if (side === 'to') return isHandingOver ? 'last copy' : 'round';
  if (isShared) return 'forgetting';
  changesOfSource++;
  isHandingOver = changesOfSource > 1;
  return isHandingOver ? 'hand-over' : 'tracking';
}

/** Names the steps of the storage: before a transaction, before its commit, and after it. */
function watched(side: 'from' | 'to', storage: Keepable): Keepable {
  const through = async <T>(name: string, run: (end: () => void) => Promise<T>): Promise<T> => {
    reach(`before ${name}`);
    const result = await run(() => reach(`in ${name}`));
    reach(`after ${name}`);
    return result;
  };
  const ending = <T>(work: Work<T>, end: () => void): Work<T> => {
    return async (connection) => {
      const result = await work(connection);
      end();
      return result;
    };
  };
  return {
    inspect: (work, options) => storage.inspect(work, options),
    refill: <T>(options: RefillOptions, work: Work<T>) =>
      through('copy', (end) => storage.refill(options, ending(work, end))),
    change: <T>(work: Work<T>, options: ChangeOptions = {}) =>
      through(nameOf(side, options), (end) => storage.change(ending(work, end), options)),
    checkReferences: () => through('check', () => storage.checkReferences()),
  };
}

const [source, target] = [open(from), open(to)];
await moveOrganization(watched('from', source), watched('to', target), {
  places: { from: 'the source', to: 'the target' },
  onSwitch: async () => reach('in switch'),
});
await Promise.all([source.close(), target.close()]);
