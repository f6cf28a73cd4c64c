import { keysOf, recordOf } from '../../base/keys.ts';
import { marksOf, wholeWords } from '../../rules/erasure.ts';
import { emailKey } from '../../rules/fold.ts';
import type { ErasureStore, MentioningRow, MentioningTable } from '../interface/erasure.ts';
import type { Upload } from '../interface/uploads.ts';
import { raising } from './organization.ts';
import { after, changed, count, many, type Queries, row, rows, run } from './store.ts';
import { UPLOAD } from './uploads.ts';
import { foldedContent, putWords, removeKnownWords, unusedWords } from './word-index.ts';

/** Tables whose rows only their account uses, by the column of the account. */
const RECORDS: Readonly<Record<string, string>> = {
  alert_words: 'user_id',
  avatar_images: 'user_id',
  bot_storage: 'user_id',
  bot_storage_sizes: 'user_id',
  drafts: 'user_id',
  email_bounces: 'user_id',
  email_counts: 'user_id',
  email_notices: 'user_id',
  email_periods: 'user_id',
  event_queues: 'user_id',
  external_logins: 'user_id',
  idempotency_keys: 'user_id',
  invitations_sent: 'user_id',
  link_previews: 'account_id',
  muted_users: 'user_id',
  navigation_views: 'user_id',
  password_resets: 'user_id',
  presences: 'user_id',
  push_browsers: 'user_id',
  push_devices: 'user_id',
  push_notices: 'user_id',
  push_tokens: 'user_id',
  reminders: 'user_id',
  saved_snippets: 'user_id',
  scheduled_messages: 'sender_id',
  second_factors: 'user_id',
  sign_in_networks: 'user_id',
  user_statuses: 'user_id',
  user_topics: 'user_id',
};
/** Tables whose rows processes cache. */
const CACHED: Readonly<Record<string, 'readers' | 'push'>> = {
  alert_words: 'readers',
  muted_users: 'readers',
  push_browsers: 'push',
  push_devices: 'push',
  push_tokens: 'push',
};
const removeRecords = Object.entries(RECORDS).map(([table, column]) => {
  const remove = changed(`DELETE FROM ${table} WHERE ${column} = ?`);
  const version = CACHED[table];
  return version ? raising(version, remove) : remove;
});
const removeWelcomes = run(
  'UPDATE invitation_offers SET welcome_message_custom_text = NULL WHERE invited_by_user_id = ?',
);

const endInvitations = run(`
  UPDATE invitations SET email = ?2, email_key = ?2, email_error = NULL, remind_ms = NULL,
    ended = COALESCE(ended, 'revoked'), ended_ms = COALESCE(ended_ms, ?3)
  WHERE email_key = ?1`);
const removeProofs = run('DELETE FROM address_proofs WHERE email_key = ?');

/** Side effects of the erasure itself. The outbox removes them at their end. */
const OWN_KINDS = "('erase user', 'erase', 'remove file', 'push-forgotten-tokens')";
const sideEffectsWith = rows<{ id: number; payload: string; last_error: string | null }>(`
  SELECT id, payload, last_error FROM outbox WHERE kind NOT IN ${OWN_KINDS} AND (FIND(payload, ?1) > 0
    OR FIND(payload, ?2) > 0 OR FIND(COALESCE(last_error, ''), ?1) > 0)`);
const removeSideEffects = run('DELETE FROM outbox WHERE id IN_IDS(?)');
/** The name as a value in JSON. A person may have the name of a field, such as `id`. */
const asValue = (name: string) => [`:${name}`, `[${name}`, `,${name},`, `,${name}]`] as const;
const removeAnswers = run(`
  DELETE FROM idempotency_keys WHERE FIND(answer, ?1) > 0
    OR FIND(answer, ?2) > 0 OR FIND(answer, ?3) > 0 OR FIND(answer, ?4) > 0 OR FIND(answer, ?5) > 0`);

/** All texts in JSON, without the names of fields. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value: unknown) => void (typeof value === 'string' && texts.push(value)));
  return texts;
}

/** The columns with the text and its HTML. */
const TEXTS: Readonly<Record<MentioningTable, readonly [text: string, html?: string]>> = {
  messages: ['content', 'rendered_content'],
  edits: ['prev_content', 'prev_rendered_content'],
  scheduled_messages: ['content', 'rendered_content'],
  reminders: ['content', 'rendered_content'],
  drafts: ['content'],
  reports: ['content'],
};

/** Drafts and reports have no HTML with the IDs of mentioned users, so the name decides. */
function mentioningIn(table: MentioningTable) {
  const [text, html] = TEXTS[table];
  return rows<MentioningRow>(`
    SELECT id, COALESCE(${text}, '') AS text, ${html ? `COALESCE(${html}, '')` : "''"} AS html FROM ${table}
    WHERE id > ?1 AND id <= ?2 AND (FIND(${text}, ?3) > 0
      OR ${html ? `FIND(${html}, ?4) > 0` : `FIND(${text}, ?5) > 0`}) ORDER BY id`);
}

function rewriteIn(table: MentioningTable) {
  const [text, html] = TEXTS[table];
  return run(`UPDATE ${table} SET ${text} = ?1${html ? `, ${html} = ?2` : ''} WHERE id = ?3`);
}

const forEachTable = <T>(make: (table: MentioningTable) => T) => recordOf(keysOf(TEXTS), make);
const mentioning = forEachTable(mentioningIn);
const rewrite = forEachTable(rewriteIn);
const newest = forEachTable((table) => count(`SELECT MAX(id) AS id FROM ${table}`));
const foldMessage = run('UPDATE messages SET folded_content = ? WHERE id = ?');

const unlinked = 'NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.upload_id = uploads.id)';
const filesIf = (condition: string) =>
  many<Upload>(UPLOAD, `SELECT ${UPLOAD.columns} FROM uploads WHERE owner_id = ? AND ${condition} ORDER BY id LIMIT ?`);
const allFiles = filesIf('true');
const unlinkedFiles = filesIf(unlinked);

const emptyDescriptions = run("UPDATE reports SET description = '' WHERE reporter_id = ?");
const emptyReported = run("UPDATE reports SET content = '' WHERE sender_id = ?");

export const erasure: Queries<ErasureStore> = {
  countOf: after(
    row<{ messages: number; files: number; unlinked: number }>(`
      SELECT (SELECT COUNT(*) FROM messages WHERE sender_id = ?1) AS messages,
        (SELECT COUNT(*) FROM uploads WHERE owner_id = ?1) AS files,
        (SELECT COUNT(*) FROM uploads WHERE owner_id = ?1 AND ${unlinked}) AS unlinked`),
    (found) => found ?? { messages: 0, files: 0, unlinked: 0 },
  ),
  messagesOf: rows<MentioningRow>(`
    SELECT id, content AS text, rendered_content AS html FROM messages WHERE sender_id = ? AND id > ? ORDER BY id LIMIT ?`),
  removeNetworks: changed(`
    UPDATE audit_log SET network = NULL, request = NULL WHERE id IN (
      SELECT id FROM audit_log WHERE user_id = ? AND (network IS NOT NULL OR request IS NOT NULL) ORDER BY id LIMIT ?)`),
  removeEarlierTexts: run(`
    UPDATE edits SET prev_content = '', prev_rendered_content = ''
    WHERE message_id IN_IDS(?) AND prev_content IS NOT NULL`),
  removeSubmessages: changed(`
    DELETE FROM submessages WHERE id IN (SELECT id FROM submessages WHERE sender_id = ? ORDER BY id LIMIT ?)`),
  newest: (connection, table) => newest[table](connection),

  async removeRecords(connection, userId) {
    for (const remove of removeRecords) await remove(connection, userId);
    await removeWelcomes(connection, userId);
  },

  async removeAddress(connection, address, replacement, nowMs) {
    await endInvitations(connection, emailKey(address), replacement, nowMs);
    await removeProofs(connection, emailKey(address));
  },

  async removeCopies(connection, { name, address }) {
    const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
    const found = await sideEffectsWith(connection, inJson(address), inJson(name));
    // A name of one word, such as "Will" or "Bell", is a word of other texts too: it must be the whole text.
    const isOneWord = !/\s/.test(name);
    const words = wholeWords(name);
    const isNamed = (text: string) => (isOneWord ? text === name : text.search(words) !== -1);
    const isConcerned = (text: string) => isNamed(text) || text.includes(address);
    const concerned = found.filter(
      ({ payload, last_error }) => last_error?.includes(address) || textsIn(payload).some(isConcerned),
    );
    await removeSideEffects(
      connection,
      concerned.map(({ id }) => id),
    );
    await removeAnswers(connection, inJson(address), ...asValue(JSON.stringify(name)));
  },

  async emptyReports(connection, userId, { texts }) {
    await emptyDescriptions(connection, userId);
    if (texts) await emptyReported(connection, userId);
  },

  files: (connection, userId, options, limit) =>
    (options.unlinked ? unlinkedFiles : allFiles)(connection, userId, limit),

  async mentioning(connection, table, person, afterId, upTo) {
    const { byId, byName, html } = marksOf(person);
    return mentioning[table](connection, afterId, upTo, byId, html, byName);
  },

  async rewrite(connection, table, { id, text, html }) {
    await rewrite[table](connection, text, html, id);
    if (table !== 'messages') return;
    await foldMessage(connection, foldedContent(text), id);
    await putWords(connection, 'message_words', [[id, text]]);
  },

  unusedWords: async (connection, afterWord, limit) =>
    connection.dialect.name === 'sqlite' ? unusedWords(connection, afterWord, limit) : undefined,
  removeWords: async (connection, words) => {
    if (connection.dialect.name === 'sqlite') await removeKnownWords(connection, words);
  },
};
