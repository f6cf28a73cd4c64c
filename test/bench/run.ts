import { parseArgs } from 'node:util';
import type { Benchmark, Finding } from './benchmark.ts';
import { cliStart, idleRss } from './command-line.ts';
import { deliveries } from './delivery.ts';
import { eventWake } from './event-wake.ts';
import { fanoutCost } from './fanout-cost.ts';
import { files } from './files.ts';
import { groups } from './groups.ts';
import { historyDiff } from './history-diff.ts';
import { httpLogged } from './http-logged.ts';
import { httpRead } from './http-read.ts';
import { httpSend } from './http-send.ts';
import { importing } from './importing.ts';
import { invitations } from './invitations.ts';
import { prepareKit } from './kit.ts';
import { longMessage } from './long-message.ts';
import { markRead } from './mark-read.ts';
import { muchUnread } from './much-unread.ts';
import { notifying } from './notifying.ts';
import { outbox, outboxPostgres } from './outbox.ts';
import { panelAppend, panelHour, panelOlder } from './panel-list.ts';
import { panelLoad, panelUsable } from './panel-loading.ts';
import { panelScroll } from './panel-scrolling.ts';
import { panelTabs } from './panel-tabs.ts';
import { idleStreams, parkedPolls } from './parked-polls.ts';
import { readPostgresScaling, sendPostgresScaling } from './postgres-scaling.ts';
import { presence10k, presenceReport } from './presence.ts';
import { pushFanout } from './push-fanout.ts';
import { registerCost } from './register-cost.ts';
import { registerSlim } from './register-slim.ts';
import { renameTopic, renameTopicPostgres } from './rename-topic.ts';
import { render } from './render.ts';
import { renderHostile } from './render-hostile.ts';
import { repoll } from './repoll.ts';
import { table, verdictOf } from './report.ts';
import { scanBeside } from './scan-beside.ts';
import { scheduledDelivery, scheduledDeliveryPostgres } from './scheduled-delivery.ts';
import { search } from './search.ts';
import { sendPostgres } from './send-postgres.ts';
import { shards } from './shards.ts';
import { subscriptions } from './subscriptions.ts';
import { sync100k } from './sync.ts';
import { tenantMove } from './tenant-move.ts';
import { tenantOpen } from './tenant-open.ts';
import { tenantsPostgres } from './tenants-postgres.ts';
import { users10k } from './users-10k.ts';

const BENCHMARKS: readonly Benchmark[] = [
  httpSend,
  httpRead,
  httpLogged,
  fanoutCost,
  users10k,
  presence10k,
  presenceReport,
  parkedPolls,
  idleStreams,
  idleRss,
  cliStart,
  registerCost,
  registerSlim,
  eventWake,
  repoll,
  ...deliveries,
  longMessage,
  render,
  renderHostile,
  renameTopic,
  markRead,
  scanBeside,
  muchUnread,
  historyDiff,
  groups,
  subscriptions,
  importing,
  sync100k,
  invitations,
  files,
  search,
  outbox,
  pushFanout,
  ...notifying,
  panelLoad,
  panelUsable,
  panelHour,
  panelAppend,
  panelOlder,
  panelScroll,
  panelTabs,
  scheduledDelivery,
  tenantOpen,
  tenantsPostgres,
  tenantMove,
  shards,
  sendPostgres,
  sendPostgresScaling,
  readPostgresScaling,
  renameTopicPostgres,
  outboxPostgres,
  scheduledDeliveryPostgres,
];

/** Milliseconds for one benchmark, unless it has its own limit. */
const LIMIT = 240_000;

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } });
const wanted = values.only?.split(',').map((name) => name.trim());
const chosen = BENCHMARKS.filter(({ names }) => !wanted || names.some((name) => wanted.includes(name)));
const unknown = wanted?.filter((name) => !BENCHMARKS.some(({ names }) => names.includes(name))) ?? [];
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}; there are ${BENCHMARKS.flatMap(({ names }) => names).join(', ')}.`,
  );
  process.exit(2);
}

const kit = await prepareKit();
const findings: Finding[] = [];
let failed = false;
try {
  for (const benchmark of chosen) {
    if (!values.json) process.stderr.write(`${benchmark.names.join(', ')} ...\n`);
    // A process that hangs is ended with the others.
    const limit = setTimeout(() => void kit.stopAll(), benchmark.limitMs ?? LIMIT);
    try {
      findings.push(...(await benchmark.run(kit)));
    } catch (error) {
      failed = true;
      console.error(`${benchmark.names[0]} could not be measured:`, error);
    } finally {
      clearTimeout(limit);
      await kit.stopAll();
    }
  }
} finally {
  await kit.remove();
}

const verdicts = Object.fromEntries(findings.map((finding) => [finding.name, verdictOf(finding)]));
console.log(values.json ? JSON.stringify(verdicts, null, 2) : table(findings));
if (failed || Object.values(verdicts).some(({ ok }) => !ok)) process.exitCode = 1;
