import { isChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import type { Cell, Person, People as PublicPeople } from './types.ts';

/** Users of one request. */
const USERS_PER_REQUEST = 100;
/** Users of one batch who are fetched alone, since the list did not have them. */
const MAX_FETCHED_ALONE = 10;

/** Users. A read or a listener fetches them, in batches. */
export class People implements PublicPeople {
  readonly #cells = new Map<number, SourceCell<Person | undefined>>();
  readonly #wanted = new Set<number>();
  #isFetching = false;
  #groups: ReturnType<PublicPeople['groups']> | undefined;

  constructor(
    private readonly session: Session,
    private readonly batch: Batch,
  ) {}

  user(id: number): Cell<Person | undefined> {
    const found = this.#cells.get(id);
    if (found) return found;
    const cell = new SourceCell<Person | undefined>(this.batch, undefined);
    this.#cells.set(id, cell);
    this.#want(id);
    return cell;
  }

  loaded(): readonly Person[] {
    const known = [...this.#cells.values()].flatMap((cell) => cell.get() ?? []);
    return known.filter(({ is_unknown, is_active }) => !is_unknown && is_active);
  }

  async search(
    query: string,
    { channelId, ...options }: { channelId?: number; signal?: AbortSignal } = {},
  ): Promise<readonly Person[]> {
    const parameters = { query, ...(channelId !== undefined && { stream_id: channelId }) };
    const { members } = await this.session.users.search(parameters, options);
    return members;
  }

  groups(): ReturnType<PublicPeople['groups']> {
    const list = async () => {
      const { user_groups } = await this.session.userGroups.list();
      return user_groups.filter(({ is_system_group }) => !is_system_group);
    };
    this.#groups ??= list().catch((error: unknown) => {
      this.#groups = undefined;
      throw error;
    });
    return this.#groups;
  }

  /** A new queue: fetches known users again. */
  reset(): void {
    this.#groups = undefined;
    for (const id of this.#cells.keys()) this.#want(id);
  }

  apply(event: ChatEvent): void {
    if (event.type === 'user_group') this.#groups = undefined;
    if (event.type !== 'realm_user') return;
    const { person } = event;
    const cell = this.#cells.get(person.user_id);
    const known = cell?.get();
    if (!cell || !known) return;
    if (event.op === 'add') return cell.set(event.person);
    if (event.op === 'remove') return cell.set({ ...known, is_unknown: true });
    const { custom_profile_field: _, ...fields } = event.person;
    cell.set({ ...known, ...(changesOf(fields) as Partial<Person>) });
  }

  #want(id: number): void {
    this.#wanted.add(id);
    this.retry();
  }

  /** Fetches the users that are wanted and not fetched yet. */
  retry(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    queueMicrotask(() => void this.#fetch());
  }

  async #fetch(): Promise<void> {
    try {
      while (this.#wanted.size > 0) {
        const ids = [...this.#wanted].slice(0, USERS_PER_REQUEST);
        const { members } = await this.session.users.list({ user_ids: ids, client_gravatar: false });
        for (const id of ids) this.#wanted.delete(id);
        const found = new Map<number, Person>(members.map((person) => [person.user_id, person]));
        for (const person of await this.#alone(ids.filter((id) => !found.has(id)))) found.set(person.user_id, person);
        this.batch.run(() => {
          for (const id of ids) this.#cells.get(id)?.set(found.get(id) ?? unknownPerson(id));
        });
      }
    } catch {
      // No connection: `retry` fetches them.
    } finally {
      this.#isFetching = false;
    }
  }

  /** The list leaves out system bots. */
  async #alone(ids: readonly number[]): Promise<readonly Person[]> {
    const get = (user_id: number) =>
      this.session.users.get({ user_id, client_gravatar: false }).then(
        ({ user }) => [user],
        (error: unknown) => {
          if (isChatError(error)) return [];
          throw error;
        },
      );
    return (await Promise.all(ids.slice(0, MAX_FETCHED_ALONE).map(get))).flat();
  }
}

/** Fields of a user that an event changes. It names some in another way than the user has them. */
export function changesOf({
  new_email,
  role,
  ...fields
}: {
  new_email?: string | undefined;
  role?: number | undefined;
}) {
  return {
    ...fields,
    ...(new_email !== undefined && { email: new_email }),
    ...(role !== undefined && { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 }),
  };
}

const unknownPerson = (user_id: number): Person => ({ user_id, full_name: '', is_unknown: true });
