import type { Attacks } from './attacks/attack.ts';
import { BODIES } from './attacks/bodies.ts';
import { CHANNELS } from './attacks/channels.ts';
import { MESSAGES } from './attacks/messages.ts';
import { OWN } from './attacks/own.ts';

/** The most expensive request of each operation that an ordinary account can call. */
export const ATTACKS: Attacks = { ...MESSAGES, ...CHANNELS, ...OWN, ...BODIES };
