import { openChat } from '../../lib/index.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';

/** A process that opens chats in a folder until it fails. `open-files.all.test.ts` runs it. Prints the error. */
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
try {
  for (let at = 0; ; at++) await openChat({ storage: sqlite(`${process.argv[2]}/${at}.db`), logger: quiet });
} catch (error) {
  console.log((error as Error).message);
  process.exit();
}
