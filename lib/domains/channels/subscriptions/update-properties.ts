import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { keysOf } from '../../../base/keys.ts';
import { choice, describe, either, flag, id, list, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { SubscriptionProperties } from '../../../storage/interface/channels.ts';
import { onlyIfShown, personalFields } from '../channel-view.ts';
import { COLOR_PATTERN, fullColor } from '../subscribing.ts';
import { subscriptionUpdated } from './events.ts';

type Property = keyof typeof personalFields;

const property = choice(keysOf(personalFields));

export const updateSubscriptionProperties = defineOperation({
  name: 'subscriptions.updateProperties',
  http: 'POST /users/me/subscriptions/properties',
  summary: 'Change your settings for channels: colour, muting, pinning, notifications',
  example: { subscription_data: [{ stream_id: 3, property: 'is_muted', value: true }] },
  access: 'user',
  effect: 'mark',
  params: {
    subscription_data: describe(
      list(
        v.object(
          {
            stream_id: id,
            property,
            value: either([flag, text(40)], 'must be a boolean, or a colour for the property color'),
          },
          'must be an object with stream_id, property and value',
        ),
        1_000,
      ),
      'List of changes, each with stream_id, property and value.',
    ),
  },
  async run({ tx, actor, emit }, { subscription_data }) {
    const ids = [...new Set(subscription_data.map(({ stream_id }) => stream_id))];
    const channels = new Map((await tx.channels.byIds(ids)).map((channel) => [channel.id, channel]));
    const own = await tx.subscriptions.pairs([actor.id], ids);
    const subscribed = new Set(own.filter(({ active }) => active).map(({ channel_id }) => channel_id));
    const changes = new Map<keyof SubscriptionProperties, Map<number, string | boolean>>();
    for (const { stream_id, property, value } of subscription_data) {
      const channel = channels.get(stream_id);
      if (!channel || !subscribed.has(stream_id)) {
        throw new BadRequest(`You are not subscribed to the channel with ID ${stream_id}.`);
      }
      const { key, stored } = change(property, value);
      changes.set(key, (changes.get(key) ?? new Map<number, string | boolean>()).set(stream_id, stored));
      const emitUpdate = (property: string, value: unknown) =>
        emit({ users: [actor.id] }, subscriptionUpdated({ stream_id, property, value }), onlyIfShown(channel));
      emitUpdate(key, stored);
      if (key === 'is_muted') emitUpdate('in_home_view', !stored);
    }
    for (const [property, values] of changes) await tx.subscriptions.update(actor.id, property, values);
  },
});

function change(property: Property, value: string | boolean) {
  if (property === 'color') {
    if (typeof value !== 'string' || !COLOR_PATTERN.test(value))
      throw new BadRequest('The value of color must look like #a6c7e5.');
    return { key: property, stored: fullColor(value) };
  }
  if (typeof value !== 'boolean') throw new BadRequest(`The value of ${property} must be a boolean.`);
  return property === 'in_home_view' ? { key: 'is_muted' as const, stored: !value } : { key: property, stored: value };
}
