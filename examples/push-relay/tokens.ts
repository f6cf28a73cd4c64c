import { Refusal } from './registration.ts';

/** The token of a device whose client does not support encryption. */
export interface Token {
  realm_uuid: string;
  user_uuid: string;
  token_kind: 'fcm' | 'apns';
  token: string;
  ios_app_id: string | null;
}

type Fields = Record<string, unknown>;

/** A notification in the format of the device's push service. */
export interface Plain {
  device: Token;
  payload: Record<string, unknown>;
  priority: unknown;
}

/** The tokens of each account, without duplicates. */
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

  /** Returns false if there is no such token. */
  remove({ token, token_kind, ...account }: Omit<Token, 'ios_app_id'>): boolean {
    const own = this.of(account);
    const left = own.filter((one) => one.token !== token || one.token_kind !== token_kind);
    this.#byAccount.set(keyOf(account), left);
    return left.length < own.length;
  }
}

const keyOf = ({ realm_uuid, user_uuid }: Pick<Token, 'realm_uuid' | 'user_uuid'>) => `${realm_uuid} ${user_uuid}`;

/** Converts a notification for each device of an account. */
export function plainDeliveries(devices: readonly Token[], fields: Fields): Plain[] {
  const [gcm, options, apns] = ['gcm_payload', 'gcm_options', 'apns_payload'].map((name) => fieldsIn(fields, name));
  const { custom, ...aps } = apns as Fields;
  // FCM accepts only strings.
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

/** Returns the tokens that a server has for an account, but this relay does not. */
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
