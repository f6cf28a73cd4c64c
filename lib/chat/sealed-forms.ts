import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';

/** A login in two steps takes no longer. */
const SEALED_MS = 10 * 60_000;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Values = Readonly<Record<string, string>>;

/**
 * Encrypts values of a form for the next form, so that its page does not contain a password. Any process of this
 * organization can read them, for ten minutes.
 */
export async function sealForm(engine: Engine, values: Values): Promise<string> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, await keyOf(engine), iv);
  const text = JSON.stringify({ values, until: engine.clock.now() + SEALED_MS });
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The values of `sealForm`. undefined if they are older than ten minutes, or changed. */
export async function unsealForm(engine: Engine, sealed: string): Promise<Values | undefined> {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, await keyOf(engine), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
    const { values, until } = JSON.parse(text) as { values: Values; until: number };
    return engine.clock.now() < until ? values : undefined;
  } catch {
    return undefined;
  }
}

async function keyOf({ storage }: Engine): Promise<Buffer> {
  const organization = await storage.read((tx) => tx.organization.get());
  return createHmac('sha256', organization?.secret ?? '')
    .update('sealed forms')
    .digest();
}
