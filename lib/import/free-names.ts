import { isBlank, spelledName, unprintableAt } from '../rules/names.ts';
import { truncate } from '../rules/topics.ts';

/** A name of one line, without control characters and at most `max` characters long. */
export function lineOf(given: string, max: number): string {
  const printable = [...given].filter((character) => unprintableAt(character) === undefined).join('');
  const name = truncate(spelledName(printable.replace(/\s+/g, ' ')), max, '…');
  return isBlank(name) ? 'unnamed' : name;
}

/** The name, or the name with the first number that makes it free: `general 2`. At most `max` characters. */
export function freeName(name: string, max: number, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${truncate(name, max - ` ${number}`.length, '…')} ${number}`;
  return free;
}
