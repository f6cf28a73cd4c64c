import { Refusal } from './registration.ts';

/** A device of a client that does not encrypt, of an account on one of the servers. */
export interface Token {
  realm_uuid: string;
  user_uuid: string;
  token_kind: 'fcm' | 'apns';
  token: string;
  ios_app_id: string | null;
}

type Fields = Record<string, unknown>;

/** For one device, as its service takes it. */
export interface Plain {
  device: Token;
  payload: Record<string, unknown>;
  priority: unknown;
}

/** Tokens by account, each once. */
export class Tokens {
  readonly #byAccount = new Map<string, Token[]>();

  constructor(tokens: readonly Token[]) {
    for (const token of tokens) this.add(token);
  }

  get all(): Token[] {
    return [...this.#byAccount.values()].flat();
  }

  of(account: Pick<Token, 'realm_uuid' | 'user_uuid'>): readonly Token[] {
    return this.#byAccount.get(keyOf(account)) ?? [];
  }

  add(token: Token): void {
    this.remove(token);
    this.#byAccount.set(keyOf(token), [...this.of(token), token]);
  }

  /** False where there is none. */
  remove({ token, token_kind, ...account }: Omit<Token, 'ios_app_id'>): boolean {
    const own = this.of(account);
    const left = own.filter((one) => one.token !== token || one.token_kind !== token_kind);
    this.#byAccount.set(keyOf(account), left);
    return left.length < own.length;
  }
}

const keyOf = ({ realm_uuid, user_uuid }: Pick<Token, 'realm_uuid' | 'user_uuid'>) => `${realm_uuid} ${user_uuid}`;

/** What an account is to be told, in the form of each of its devices. */
export function plainDeliveries(devices: readonly Token[], fields: Fields): Plain[] {
  const [gcm, options, apns] = ['gcm_payload', 'gcm_options', 'apns_payload'].map((name) => fieldsIn(fields, name));
  const { custom, ...aps } = apns as Fields;
  // Google's service takes texts alone.
  const texts = Object.fromEntries(
    Object.entries(gcm as Fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return devices.map((device) =>
    device.token_kind === 'fcm'
      ? { device, payload: texts, priority: options?.priority }
      : { device, payload: { aps, ...(custom as Fields) }, priority: aps.alert ? 'alert' : 'background' },
  );
}

/** Of the tokens that a server has of an account, those that are not known here. */
export function unknownTokens(own: readonly Token[], fields: Fields) {
  const missing = (name: string, kind: Token['token_kind']) => {
    const known = new Set(own.flatMap(({ token_kind, token }) => (token_kind === kind ? token : [])));
    return (Array.isArray(fields[name]) ? fields[name] : []).filter((token: unknown) => !known.has(String(token)));
  };
  return { android_devices: missing('android_devices', 'fcm'), apple_devices: missing('apple_devices', 'apns') };
}

function fieldsIn(fields: Fields, name: string): Fields {
  const value = fields[name] ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Fields;
  throw new Refusal(400, 'BAD_REQUEST', `The field ${name} is invalid.`);
}
