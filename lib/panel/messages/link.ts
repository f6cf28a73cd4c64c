import type { Message } from '../../client/store/types.ts';
import { fragmentOf, type Route } from '../app/routes.ts';
import type { Panel } from '../context.ts';

/** The address of a message in the web app. */
export function linkTo({ id, place }: Message, { site, store }: Panel): string {
  const route: Route =
    'topic' in place ? { view: 'topic', ...place, near: id } : { view: 'direct', ...place, near: id };
  return `${site}/${fragmentOf(route, { channel: (channelId) => store.channels.get().get(channelId)?.name })}`;
}
