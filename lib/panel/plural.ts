const english = new Intl.PluralRules('en');

/** `1 message`, `5 messages`: the form for this count, with the number before it. */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en')} ${english.select(count) === 'one' ? one : other}`;
}
