/** The button of a topic with its actions. */

import type { JSX } from 'preact';
import { useApp } from '../words/app-words.ts';
import { MenuButton } from './controls.tsx';
import { TopicActions } from './parts.ts';
import { useTopicName } from './place-names.tsx';

interface TopicMenuProps {
  channelId: number;
  topic: string;
}

export function TopicMenu(props: TopicMenuProps): JSX.Element {
  const { words } = useApp();
  const name = useTopicName(props.topic);
  return <MenuButton label={words.moreOf(name)}>{(menu) => <TopicActions {...props} {...menu} />}</MenuButton>;
}
