import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import { inWorlds } from '../../messages/in-worlds.ts';

const READERS: readonly UserName[] = ['owner', 'administrator', 'moderator', 'hamlet', 'guest'];

/** Users who can see the address: 1 everyone, 2 members, 3 administrators, 4 no other user, 5 moderators. */
const VISIBILITIES = [1, 2, 3, 4, 5] as const;

/** The account as a client has it from events. */
interface Client {
  reader: UserName;
  client_gravatar: boolean;
  queue_id: string;
  last_event_id: number;
  known: Record<string, unknown>;
}

interface AccountEvent {
  type: string;
  person: Record<string, unknown>;
}

for (const email_address_visibility of VISIBILITIES)
  inWorlds(
    `events show a new account and its changes as users.get does, with e-mail visibility ${email_address_visibility}`,
    async (world) => {
      const { as, chat } = world;
      await world.settings({ default_avatar_source: 'G' });
      await as('owner').userSettingsDefaults.edit({ email_address_visibility });
      const clients: Client[] = [];
      for (const reader of READERS)
        for (const client_gravatar of [true, false]) {
          const event_types = ['realm_user' as const];
          const { queue_id } = await as(reader).register({ event_types, fetch_event_types: [], client_gravatar });
          clients.push({ reader, client_gravatar, queue_id, last_event_id: -1, known: {} });
        }
      const { user_id } = await as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric' });
      const other = VISIBILITIES[email_address_visibility % VISIBILITIES.length];
      const changes: Record<string, () => Promise<unknown>> = {
        'a new account': async () => undefined,
        'another visibility': () => chat.as(user_id).settings.edit({ email_address_visibility: other }),
        'another name': () => as('owner').users.edit({ user_id, full_name: 'Osrick' }),
      };
      for (const [what, change] of Object.entries(changes)) {
        await change();
        for (const client of clients) {
          const { reader, client_gravatar, queue_id, last_event_id, known } = client;
          const { events } = await as(reader).events.list({ queue_id, last_event_id, dont_block: true });
          client.last_event_id = events.at(-1)?.id ?? last_event_id;
          for (const { person } of events as unknown as AccountEvent[]) {
            const { new_email, ...fields } = person;
            Object.assign(known, fields, new_email !== undefined && { email: new_email });
          }
          const shown = await as(reader).users.get({ user_id, client_gravatar, include_custom_profile_fields: true });
          const { avatar_url, delivery_email, email, full_name } = shown.user;
          assert.deepEqual(
            [known.avatar_url, known.delivery_email, known.email, known.full_name],
            [avatar_url, delivery_email, email, full_name],
            `${what}, ${reader}, client_gravatar ${client_gravatar}`,
          );
        }
      }
    },
  );
