import type { Attacks } from './attacks/attack.ts';
import { BODIES } from './attacks/bodies.ts';
import { CHANNELS } from './attacks/channels.ts';
import { MESSAGES } from './attacks/messages.ts';
import { OWN } from './attacks/own.ts';

/** The worst that each operation of an ordinary account is for everybody else. */
export const ATTACKS: Attacks = { ...MESSAGES, ...CHANNELS, ...OWN, ...BODIES };
