import type { Command } from 'commander';
import { UsageError } from '../failure.ts';
import type { Pending } from '../values/read.ts';
import type { Given } from './operation-command.ts';
import type { Words } from './words.ts';

/** A narrow from `--channel`, `--topic` and `--direct`. */
export function narrowFrom(words: Words, given: Given, command: Command): Map<string, Pending> {
  const meant = new Map<string, Pending>();
  if (!words.narrows) return meant;
  const { channel, topic, direct } = command.opts() as Record<string, string | undefined>;
  const terms: [string, string | number][] = [];
  if (channel !== undefined) terms.push(['channel', /^[0-9]+$/.test(channel) ? Number(channel) : channel]);
  if (topic !== undefined) terms.push(['topic', topic]);
  if (direct !== undefined) terms.push(['dm', direct]);
  if (terms.length === 0) return meant;
  if (given.has('narrow')) throw new UsageError('Give --narrow, or --channel, --topic and --direct.');
  return meant.set('narrow', () => terms);
}
