import { createHash } from 'node:crypto';
import type { Replies } from '../../adapters/mail.ts';
import { BadRequest, ChatError, IdempotencyKeyReused } from '../../base/errors.ts';
import { operationNamed } from '../../catalogue.ts';
import type { Caller } from '../../engine/callers.ts';
import type { Engine } from '../../engine/engine.ts';
import { readMailAddress } from '../../rules/mail-addresses.ts';
import { MAX_MESSAGE_LENGTH } from '../../rules/names.ts';
import { truncate } from '../../rules/topics.ts';
import { sendBounce } from './bounce.ts';
import { type Destination, destinationOf, isKnownAddress } from './destination.ts';
import { MAX_MAIL_BYTES, readMailInThread } from './mail-reader.ts';
import { MAX_RECIPIENTS, type MailAttachment, type ReadMail } from './read-mail.ts';

/** The envelope of an e-mail, as the mail server received it. */
export interface MailEnvelope {
  /** Recipients. Default: those in the headers `X-Original-To`, `Envelope-To`, `Delivered-To`, `To` and `Cc`. */
  to?: readonly string[];
  /** Sender, which gets the report of a refusal. Empty: none. Default: `Return-Path`, else the address in `From`. */
  from?: string;
}

/** Outcome of an e-mail for one recipient. */
export type MailResult =
  | { status: 'sent'; recipient: string; message_id: number }
  /** The sender gets a report with the reason, at most one per day. */
  | { status: 'refused'; recipient: string; reason: string }
  /** A program sent the e-mail. It gets no report, which could start a loop. */
  | { status: 'ignored'; recipient: string; reason: string };

const CLIENT = 'e-mail';
const HOUR_MS = 3_600_000;
/** Per account that posts, or that created the address of the channel. */
const MAX_PER_HOUR = 60;

/**
 * Posts the messages of an e-mail: one for each recipient that is an address of this chat. Ignores other recipients.
 * Within a day, it posts an e-mail with the same `Message-ID` only once.
 * @throws BadRequest if the chat has no addresses for mail, or if the e-mail has errors; any other error: try again
 */
export async function receiveMail(
  engine: Engine,
  raw: Uint8Array | AsyncIterable<Uint8Array>,
  envelope: MailEnvelope,
): Promise<MailResult[]> {
  const replies = repliesOf(engine);
  const bytes = raw instanceof Uint8Array ? raw : await gathered(raw);
  const { domain, authservId } = replies;
  const { known: recipients, unknown } = await knownAmong(engine, envelope.to);
  // Reading takes much time, so a guessed address must not cause it.
  if (recipients?.length === 0) return unknown.map(refusedUnknown);
  const mail = await readMailInThread(bytes, { domain, authservId, recipients });
  const key = createHash('sha256')
    .update(mail.messageId === '' ? bytes : mail.messageId)
    .digest('base64url');
  const results = unknown.map(refusedUnknown);
  for (const delivery of mail.deliveries) results.push(await receiveFor(engine, mail, envelope, { ...delivery, key }));
  return results;
}

/** The recipients of the envelope with addresses of this form: those that the chat has created, and the others. */
async function knownAmong(engine: Engine, given: readonly string[] | undefined) {
  const unknown: string[] = [];
  if (!given) return { known: undefined, unknown };
  const { domain } = repliesOf(engine);
  const known: string[] = [];
  for (const recipient of new Set(given)) {
    const address = readMailAddress(recipient, domain);
    if (!address || known.length + unknown.length >= MAX_RECIPIENTS) continue;
    ((await isKnownAddress(engine, address)) ? known : unknown).push(recipient);
  }
  return { known, unknown };
}

/** The sender gets no report: anyone can guess addresses in the name of others. */
const refusedUnknown = (recipient: string): MailResult => ({
  status: 'refused',
  recipient,
  reason: 'This address does not exist.',
});

/** Whether the chat created the address. Mail servers ask before they transfer the e-mail. */
export async function acceptsMailFor(engine: Engine, recipient: string): Promise<boolean> {
  const address = readMailAddress(recipient, repliesOf(engine).domain);
  return address !== undefined && isKnownAddress(engine, address);
}

function repliesOf({ options }: Engine): Replies {
  const replies = options.mail?.replies;
  if (!replies) throw new BadRequest('This chat receives no mail: set the option replies of its mail.');
  return replies;
}

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    // Read the rest without keeping it, so that the mail server gets an answer.
    if (size <= MAX_MAIL_BYTES) read.push(piece);
  }
  if (size > MAX_MAIL_BYTES)
    throw new BadRequest(`The e-mail is too large (limit: ${MAX_MAIL_BYTES / 1024 / 1024} MiB).`);
  return Buffer.concat(read);
}

interface Delivery {
  recipient: string;
  content: string;
  /** Digest that identifies the e-mail. */
  key: string;
}

async function receiveFor(
  engine: Engine,
  mail: ReadMail,
  envelope: MailEnvelope,
  delivery: Delivery,
): Promise<MailResult> {
  const { recipient } = delivery;
  const sender = envelope.from ?? mail.returnPath;
  if (mail.isAutomatic || sender === '')
    return { status: 'ignored', recipient, reason: 'A program sent this e-mail, and an answer could start a loop.' };
  try {
    const destination = await destinationOf(engine, mail, recipient, repliesOf(engine).domain);
    await checkRate(engine, destination.chargedId, delivery.key);
    return { status: 'sent', recipient, message_id: await send(engine, mail, delivery, destination) };
  } catch (error) {
    if (!isFinal(error)) throw error;
    engine.logger.info({ reason: error.message }, 'an e-mail was refused');
    await sendBounce(engine, mail, { to: sender ?? mail.from?.address, recipient, reason: error.message });
    return { status: 'refused', recipient, reason: error.message };
  }
}

/** Whether a retry would fail too. Rate limits and faults of the server can pass. */
const isFinal = (error: unknown): error is ChatError =>
  error instanceof ChatError && error.status < 500 && error.status !== 429;

/** Counts each e-mail of the account, also refused ones, in all processes. @throws BadRequest */
async function checkRate({ storage, clock }: Engine, user_id: number, key: string): Promise<void> {
  const now = clock.now();
  const call = { user_id, operation: 'receive mail', key, digest: '', answer: '', created_ms: now };
  const count = await storage.write(async ({ idempotency }) => {
    await idempotency.add(call, now - 24 * HOUR_MS);
    return idempotency.count(user_id, call.operation, now - HOUR_MS);
  }, 'silent');
  if (count > MAX_PER_HOUR)
    throw new BadRequest(`More than ${MAX_PER_HOUR} e-mails in an hour. Send it again later, or write in the app.`);
}

/** Sends the message by the operation, which checks all permissions. */
async function send(engine: Engine, mail: ReadMail, delivery: Delivery, destination: Destination): Promise<number> {
  const { caller, to, introduction } = destination;
  const idempotency_key = `e-mail ${delivery.key} ${delivery.recipient.split(/[+@]/)[0]?.toLowerCase()}`.slice(0, 255);
  const files = await Promise.all(
    mail.attachments.map((file, at) => uploadOf(engine, caller, file, `${idempotency_key.slice(0, 250)} ${at}`)),
  );
  if (mail.more > 0) files.push(`(and ${mail.more} more attachments)`);
  const links = files.join('\n');
  const text = [introduction, destination.adapt(delivery.content)].filter((part) => part !== '').join('\n\n');
  if (text === '' && links === '') throw new BadRequest('The e-mail has no text above the quoted e-mail.');
  const shortened = truncate(text, MAX_MESSAGE_LENGTH - links.length - 2, '\n[message truncated]');
  const content = [shortened, links].filter((part) => part !== '').join('\n\n');
  const values = { ...to, content, truncate: true, read_by_sender: true, idempotency_key };
  const { id } = await call<{ id: number }>(engine, 'messages.send', caller, values);
  return id;
}

/** Markdown: a link to the stored file, or why it is not stored. */
async function uploadOf(engine: Engine, caller: Caller, file: MailAttachment, key: string): Promise<string> {
  const { name, type, content } = file;
  const label = (name.trim() || 'attachment').replace(/[[\]\s@]+/g, ' ').slice(0, 100);
  try {
    const values = { file: { name, type, content }, idempotency_key: key };
    const { url } = await call<{ url: string }>(engine, 'uploads.send', caller, values);
    return `[${label}](${url})`;
  } catch (error) {
    if (!isFinal(error)) throw error;
    return `(${label} is missing: ${error.message})`;
  }
}

/** @returns the answer of the first call, if the mail is repeated */
async function call<A>(
  engine: Engine,
  name: 'messages.send' | 'uploads.send',
  caller: Caller,
  values: Record<string, unknown>,
): Promise<A> {
  const operation = operationNamed(name);
  try {
    return (await engine.call(operation, { ...caller, client: CLIENT }, values)) as A;
  } catch (error) {
    // The destination has changed since the first attempt: a moved topic, or another account of the sender.
    if (!(error instanceof IdempotencyKeyReused)) throw error;
    const first = await engine.storage.read((tx) =>
      tx.idempotency.get(caller.userId ?? 0, name, String(values.idempotency_key), 0),
    );
    if (!first) throw error;
    return JSON.parse(first.answer) as A;
  }
}
