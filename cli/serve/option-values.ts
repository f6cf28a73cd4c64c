import { networkIn, siteIn } from '../../lib/internal.ts';
import { minutesIn } from '../arguments/durations.ts';
import { BASE_URL_WANTED } from '../base-url.ts';

/** An invalid value. `wanted` completes the sentence "… must be". */
export class Wrong {
  constructor(readonly wanted: string) {}
}

export type Reader<T> = (text: string) => T | Wrong;

export const text: Reader<string> = (given) => given;

/** An integer of at least `least`, with up to nine digits. */
const whole =
  (least: number, wanted: string): Reader<number> =>
  (given) =>
    /^[0-9]{1,9}$/.test(given) && Number(given) >= least ? Number(given) : new Wrong(wanted);

export const count = whole(0, 'a whole number, 0 or more');
export const some = whole(1, 'a whole number, 1 or more');
export const mebibytes = whole(1, 'a whole number of MiB');

export const port: Reader<number> = (given) =>
  /^[0-9]{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : new Wrong('a number from 0 to 65535');

export const mode: Reader<number> = (given) =>
  /^0?[0-7]{3}$/.test(given) ? Number.parseInt(given, 8) : new Wrong('three octal digits, such as 660');

/** For variables only: on the command line, a switch has no value. */
export const truth: Reader<boolean> = (given) => {
  if (/^(1|on|true|yes)$/i.test(given)) return true;
  return /^(0|off|false|no)$/i.test(given) ? false : new Wrong('on or off');
};

export const onOrOff: Reader<'on' | 'off'> = (given) =>
  given === 'on' || given === 'off' ? given : new Wrong('on or off');

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[];

export const logLevel: Reader<LogLevel> = (given) =>
  LEVELS.includes(given) ? (given as LogLevel) : new Wrong('debug, info, warn, error or silent');

export const prefix: Reader<string> = (given) => {
  const path = given.replace(/\/+$/, '');
  return /^(\/[\w.~-]+)+$/.test(path) ? path : new Wrong('a path such as /chat');
};

/** The public URL of the chat. */
export const address: Reader<string> = (given) => siteIn(given) ?? new Wrong(BASE_URL_WANTED);

export const origin: Reader<string> = (given) => {
  const url = urlOf(given);
  return url && /^https?:$/.test(url.protocol) && url.origin === given.replace(/\/$/, '')
    ? url.origin
    : new Wrong('an origin such as https://app.example.com, without a path');
};

export const hostAndPort: Reader<{ host: string; port: number }> = (given) => {
  const [, v6, host = v6, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/\s]+)):([0-9]{1,5})$/.exec(given) ?? [];
  if (host === undefined || Number(digits) > 65_535) return new Wrong('an address such as 127.0.0.1:9464');
  return { host, port: Number(digits) };
};

export const network: Reader<string> = (given) =>
  networkIn(given) ? given : new Wrong('a network such as 10.1.0.0/16, or an address such as 127.0.0.1');

/** Minutes. Null: never expires. */
export const validity: Reader<number | null> = (given) => {
  const minutes = minutesIn(given);
  if (minutes === 'null') return null;
  return /^[1-9][0-9]{0,8}$/.test(minutes) ? Number(minutes) : new Wrong('a time such as 10d, or never');
};

function urlOf(given: string): URL | undefined {
  try {
    return new URL(given);
  } catch {
    return undefined;
  }
}
