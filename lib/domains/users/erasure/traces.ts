import { setTimeout as delay } from 'node:timers/promises';
import { chunked } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { keepLinkPreviews } from '../../../markdown/link-previews.ts';
import { defineOutboxKind, inBatches } from '../../../operation/feature.ts';
import { anonymized, type ErasedPerson, erasedAddress, textsWithoutMentions } from '../../../rules/erasure.ts';
import type { MentioningRow, MentioningTable } from '../../../storage/interface/erasure.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import { ERASURE } from '../../exports/exports/make-export.ts';
import { lastRemovable } from '../../messages/channel-activity.ts';
import { deleteMessages } from '../../messages/deletion.ts';
import { eraseLater } from '../../messages/editing/erasure.ts';
import { emitRendering } from '../../messages/editing/rendering.ts';
import { renderContents } from '../../messages/message-content.ts';
import { removeUploads } from '../../uploads/stored-file.ts';

export const WAYS_WITH_MESSAGES = ['keep', 'anonymize', 'delete'] as const;

export interface Erasure {
  user_id: number;
  messages: (typeof WAYS_WITH_MESSAGES)[number];
  /** Name and address before the erasure. The outbox deletes the item at its end. */
  name: string;
  address: string;
}

/** Messages changed or deleted per transaction, which blocks all other writers. */
const MESSAGES_PER_TRANSACTION = 100;
const FILES_PER_TRANSACTION = 100;
const ROWS_PER_READ = 2_000;
const WORDS_PER_READ = 500;
const EVENTS_PER_TRANSACTION = 500;
const ROWS_PER_TRANSACTION = 1_000;

const MENTIONING_TABLES = ['messages', 'edits', 'scheduled_messages', 'reminders', 'drafts', 'reports'] as const;

/** Removes what is stored about a person outside of the account. Every step can run again after a crash. */
export const eraseTraces = defineOutboxKind<Erasure>(ERASURE, {
  concurrency: 1,
  async perform(services, { user_id, messages, name, address }) {
    const { storage, options, clock } = services;
    const person = { id: user_id, name, address };
    const texts = messages !== 'keep';
    if (messages === 'delete') await deleteOwnMessages(services, person);
    if (messages === 'anonymize') await anonymizeOwnMessages(services, person);
    for (const table of MENTIONING_TABLES) await eraseMentions(services, table, person);
    await inBatches(FILES_PER_TRANSACTION, never, () =>
      givingWay(() => removeSomeFiles(services, person, { unlinked: !texts })),
    );
    if (messages === 'delete')
      await inBatches(ROWS_PER_TRANSACTION, never, () =>
        givingWay(() => storage.write((tx) => tx.erasure.removeSubmessages(user_id, ROWS_PER_TRANSACTION))),
      );
    await inBatches(ROWS_PER_TRANSACTION, never, () =>
      givingWay(() => storage.write((tx) => tx.erasure.removeNetworks(user_id, ROWS_PER_TRANSACTION), 'silent')),
    );
    await storage.write(async (tx) => {
      await tx.erasure.emptyReports(user_id, { texts });
      await tx.erasure.removeAddress(address, erasedAddress(user_id), clock.now());
      await tx.erasure.removeCopies(person);
    }, 'silent');
    for (let reached: number | undefined = 0; reached !== undefined; ) {
      const after: number = reached;
      reached = await givingWay(() =>
        storage.write((tx) => tx.events.erasePerson(person, { texts }, after, EVENTS_PER_TRANSACTION), 'silent'),
      );
    }
    // This item still has the name. Its row goes before the log file becomes empty again, two minutes later.
    await services.asSystem('mark', (context) => eraseLater(context, []));
    await options.storage.forget?.({ words: true });
    // After `forget` has merged the index, looking up a word without messages is fast.
    await eraseWords(services);
  },
});

/** Removes words that no message contains from the list for the completion of searches. */
async function eraseWords({ storage }: Services): Promise<void> {
  for (let after = ''; ; ) {
    const found = await storage.read((tx) => tx.erasure.unusedWords(after, WORDS_PER_READ));
    if (!found) return;
    if (found.unused.length > 0) await givingWay(() => storage.write((tx) => tx.erasure.removeWords(found.unused)));
    after = found.last;
  }
}

const never = () => false;

/** Milliseconds. The time of a write includes waiting for others. */
const LONGEST_REST_MS = 100;

/** A write, and a rest as long. Other processes poll for the lock of SQLite, and would not find it free without rests. */
async function givingWay<T>(write: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const written = await write();
  await delay(Math.min(performance.now() - start, LONGEST_REST_MS));
  return written;
}

const asSystem = <T>(services: Services, work: (context: WriteContext) => Promise<T>): Promise<T> =>
  givingWay(() => services.asSystem('write', work));

async function deleteOwnMessages(services: Services, { id }: ErasedPerson): Promise<void> {
  await inBatches(1, never, () =>
    asSystem(services, async (context) => {
      const { tx } = context;
      const found = await tx.erasure.messagesOf(id, 0, MESSAGES_PER_TRANSACTION);
      const removable = await lastRemovable(
        tx,
        found.map((message) => message.id),
      );
      await deleteMessages(context, await tx.messages.byIds(removable));
      return removable.length;
    }),
  );
}

async function anonymizeOwnMessages(services: Services, person: ErasedPerson): Promise<void> {
  for (let reached: number | undefined = 0; reached !== undefined; ) {
    const after: number = reached;
    reached = await asSystem(services, async (context) => {
      const { tx } = context;
      const account = present(await tx.users.byId(person.id));
      const found = await tx.erasure.messagesOf(person.id, after, MESSAGES_PER_TRANSACTION);
      const changed = found
        .map((message) => ({ before: message, text: anonymized(message.text, person) }))
        .filter(({ before, text }) => text !== before.text);
      const rendered = await renderContents(
        context,
        account,
        changed.map(({ text }) => text),
        account,
      );
      await rewrite(
        context,
        'messages',
        changed.map(({ before, text }) => {
          const { html, previewed } = present(rendered.get(text));
          return { before, id: before.id, text, html: keepLinkPreviews(html, before.html, previewed) };
        }),
      );
      await tx.erasure.removeEarlierTexts(found.map(({ id }) => id));
      return found.at(-1)?.id;
    });
  }
}

/** Reads parts of the table, and changes the few rows that mention the person in short transactions. */
async function eraseMentions(services: Services, table: MentioningTable, person: ErasedPerson): Promise<void> {
  const { storage } = services;
  const newest = await storage.read((tx) => tx.erasure.newest(table));
  for (let from = 0; from < newest; from += ROWS_PER_READ) {
    const upTo = from + ROWS_PER_READ;
    const found = await storage.read((tx) => tx.erasure.mentioning(table, person, from, upTo));
    for (const some of chunked(found, MESSAGES_PER_TRANSACTION)) {
      const [first, last] = [present(some[0]), present(some.at(-1))];
      await asSystem(services, async (context) => {
        const rows = await context.tx.erasure.mentioning(table, person, first.id - 1, last.id);
        const changed = rows.map((before) => ({ before, id: before.id, ...withoutPerson(table, before, person) }));
        await rewrite(
          context,
          table,
          changed.filter(({ before, text, html }) => text !== before.text || html !== before.html),
        );
      });
    }
  }
}

/** Drafts and reports have no HTML, so it finds their mentions by name. */
const withoutPerson = (table: MentioningTable, row: MentioningRow, person: ErasedPerson) =>
  textsWithoutMentions(row, person, table === 'drafts' || table === 'reports' ? [person.name] : []);

/** Readers get the new texts, but the messages do not count as edited. */
async function rewrite(
  context: WriteContext,
  table: MentioningTable,
  rows: readonly (MentioningRow & { before: MentioningRow })[],
): Promise<void> {
  const { tx } = context;
  for (const row of rows) await tx.erasure.rewrite(table, row);
  if (table !== 'messages') return;
  for (const message of await tx.messages.byIds(rows.map(({ id }) => id)))
    await emitRendering(context, message, { orig_content: '', orig_rendered_content: '' });
}

function removeSomeFiles(services: Services, { id }: ErasedPerson, options: { unlinked: boolean }): Promise<number> {
  return services.asSystem('write', async (context) => {
    const files = await context.tx.erasure.files(id, options, FILES_PER_TRANSACTION);
    await removeUploads(context, files);
    return files.length;
  });
}
