import type { ChatEvent, InitialState } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import { changesOf } from './people.ts';
import type { Me, Organization, OwnSettings } from './types.ts';

type Initial = InitialState<'realm' | 'realm_emoji' | 'user_settings' | 'muted_users'>;

/** The own account, its settings, and the organization. */
export class Account {
  readonly me: SourceCell<Me | undefined>;
  readonly organization: SourceCell<Organization | undefined>;
  readonly settings: SourceCell<OwnSettings | undefined>;
  readonly mutedUsers: SourceCell<ReadonlySet<number>>;
  readonly blockedUsers: SourceCell<ReadonlySet<number>>;

  constructor(batch: Batch) {
    this.me = new SourceCell<Me | undefined>(batch, undefined);
    this.organization = new SourceCell<Organization | undefined>(batch, undefined);
    this.settings = new SourceCell<OwnSettings | undefined>(batch, undefined);
    this.mutedUsers = new SourceCell<ReadonlySet<number>>(batch, new Set());
    this.blockedUsers = new SourceCell<ReadonlySet<number>>(batch, new Set());
  }

  get id(): number {
    return this.me.get()?.user_id ?? -1;
  }

  reset(initial: Initial, me: Me): void {
    const { user_id, full_name, email, delivery_email, avatar_url, role, is_admin, is_owner, is_guest, timezone } = me;
    this.me.set({
      user_id,
      full_name,
      email,
      delivery_email,
      avatar_url,
      role,
      is_admin,
      is_owner,
      is_guest,
      timezone,
    });
    this.organization.set(organizationOf(initial));
    this.settings.set(initial.user_settings);
    this.#setMuted(initial.muted_users);
  }

  apply(event: ChatEvent): void {
    switch (event.type) {
      case 'realm_user':
        if (event.op === 'update' && event.person.user_id === this.id) this.#changeMe(event.person);
        return;
      case 'realm':
        if (event.op === 'update') return this.#changeOrganization({ [event.property]: event.value });
        if (event.op === 'update_dict') return this.#changeOrganization(event.data);
        return;
      case 'user_settings': {
        const settings = this.settings.get();
        if (settings) this.settings.set({ ...settings, [event.property]: event.value });
        return;
      }
      case 'muted_users':
        this.#setMuted(event.muted_users);
    }
  }

  #changeMe(person: Parameters<typeof changesOf>[0]): void {
    const me = this.me.get();
    if (!me) return;
    const given = Object.entries(changesOf(person)).filter(([name]) => Object.hasOwn(me, name));
    this.me.set({ ...me, ...Object.fromEntries(given) });
  }

  #changeOrganization(data: object): void {
    const organization = this.organization.get();
    if (!organization) return;
    const changed = Object.entries(data).map(([name, value]) => [`realm_${name}`, value]);
    this.organization.set({ ...organization, ...Object.fromEntries(changed) });
  }

  #setMuted(users: InitialState<'muted_users'>['muted_users']): void {
    const idsOf = (some: typeof users) => new Set(some.map(({ id }) => id));
    this.mutedUsers.set(idsOf(users));
    this.blockedUsers.set(idsOf(users.filter(({ is_blocked }) => is_blocked)));
  }
}

/** Other parts keep the rest of the state. */
function organizationOf(initial: Initial): Organization {
  const settings = Object.entries(initial).filter(([name]) =>
    /^(realm|server|max|zulip|password|event_queue)_/.test(name),
  );
  return Object.fromEntries(settings) as Organization;
}
