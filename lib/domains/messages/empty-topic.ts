import type { EventClient } from '../../kernel/define-event.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { shownTopic } from '../../rules/topics.ts';

/** An empty topic by its display name, for clients that do not know that topics may be empty. */
export function topicForClient<T extends string | undefined>(topic: T, { organization, options }: EventClient): T {
  if (topic !== '') return topic;
  const knowsEmpty = options.client_capabilities.empty_topic_name ?? false;
  return shownTopic('', organizationSetting(organization, 'empty_topic_display_name'), knowsEmpty) as T;
}
