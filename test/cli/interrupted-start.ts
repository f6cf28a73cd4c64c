import { exitInterrupted, onInterruption } from '../../cli/output/terminal.ts';

// The signal arrives during the work of a starting command. Node handles it after that.
process.on('SIGINT', exitInterrupted);
process.kill(process.pid, 'SIGINT');
onInterruption((signal) => {
  console.log(signal);
  process.exit(0);
});
setTimeout(() => undefined, 5_000);
