/** The menu with all actions of a message. */

import { Fragment, type VNode } from 'preact';
import { termsOf } from '../../client/store/places.ts';
import type { Message } from '../../client/store/types.ts';
import { useMay } from '../app/hooks.ts';
import type { Panel } from '../context.ts';
import { Popover } from '../dialog.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { useLater } from '../words/later-words.ts';
import { type OverlayPanel, useOverlay } from '../words/overlay-words.ts';
import { useCircumstances } from './action-bar.tsx';
import { linkTo } from './link.ts';
import { type DialogName, type ListActions, useFailures, useListActions } from './list-context.ts';
import { mayDelete, mayMove, maySeeHistory, maySeeReaders } from './menu-permissions.ts';
import { type Circumstances, isOwn, mayEdit } from './permissions.ts';

/** UNIX time of the year 2100, to ask for a permission. */
const FAR_FUTURE = 4_102_444_800;

interface Item {
  icon: IconName;
  label: string;
  run(): void;
  isDangerous?: true;
}

export interface MenuProps {
  message: Message;
  beside: HTMLElement;
  onClose(): void;
}

export function MessageMenu({ message, beside, onClose }: MenuProps): VNode {
  const panel = useOverlay();
  const list = useListActions();
  const failed = useFailures();
  const circumstances = useCircumstances(message);
  const isOthers = !panel.isReadonly && !isOwn(message, circumstances.me);
  // Staff of a room cannot be blocked. Only the server knows them. A blocked user can be blocked again.
  const mayBlock = useMay('users.block', isOthers && { user_id: message.sender_id });
  const { words } = useLater();
  // Tokens for rooms have no reminders.
  const reminder = { message_id: message.id, scheduled_delivery_timestamp: FAR_FUTURE };
  const remindMe = useMay('reminders.create', !panel.isReadonly && reminder) ? words.remindMe : undefined;
  const items = itemsOf(message, { panel, remindMe, list, circumstances, isOthers, mayBlock, failed, beside });
  return (
    <Popover beside={beside} onClose={onClose} label={panel.words.actions} role="menu">
      {items.map(({ icon, label, run, isDangerous }) => (
        <Fragment key={label}>
          {isDangerous && <hr class="menu-line" />}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={isDangerous ? 'menu-item dangerous' : 'menu-item'}
            onClick={() => {
              onClose();
              run();
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        </Fragment>
      ))}
    </Popover>
  );
}

interface ItemOptions {
  panel: OverlayPanel;
  list: ListActions;
  circumstances: Circumstances;
  isOthers: boolean;
  mayBlock: boolean;
  /** The name of the action. Undefined: it is not offered. */
  remindMe: string | undefined;
  beside: HTMLElement;
  failed(error: unknown): void;
}

function itemsOf(message: Message, options: ItemOptions): Item[] {
  const { panel, list, circumstances, mayBlock, remindMe, failed, beside } = options;
  const { store, words, isReadonly, hidden } = panel;
  const { sender_id, sender_full_name } = message;
  const isStarred = message.flags.has('starred');
  const block = store.blockedUsers.get().has(sender_id) ? 'unblock' : 'block';
  const changes: (Item | false)[] = [
    { icon: 'smile', label: words.addReaction, run: () => list.openPicker(message, beside) },
    mayEdit(message, circumstances) && { icon: 'edit', label: words.editMessage, run: () => list.edit(message.id) },
    !hidden.has('composer') && {
      icon: 'reply',
      label: words.quote,
      run: () => void quote(message, panel, list).catch(failed),
    },
  ];
  const marks: Item[] = [
    {
      icon: 'star',
      label: isStarred ? words.unstar : words.star,
      run: () => void store.messages.star(message.id, !isStarred).catch(failed),
    },
    {
      icon: 'unread',
      label: words.markUnread,
      run: () => {
        list.keepUnread();
        markUnreadFrom(message, panel).catch(failed);
      },
    },
  ];
  const offered: (Item | false)[] = [
    ...(isReadonly ? [] : changes),
    { icon: 'copy', label: words.copyText, run: () => void copyText(message, panel).catch(failed) },
    { icon: 'link', label: words.copyLink, run: () => copyLink(message, panel, list) },
    { icon: 'people', label: words.viewProfile, run: () => panel.navigate({ page: 'person', id: sender_id }) },
    ...(isReadonly ? [] : marks),
    ...dialogItems(message, options),
    // After the others, because they appear when the server has answered.
    remindMe !== undefined && { icon: 'clock', label: remindMe, run: () => list.openDialog('remind', message) },
    mayBlock && {
      icon: 'muted',
      label: words[block](sender_full_name),
      run: () => void store.session.users[block]({ user_id: sender_id }).catch(failed),
    },
    !isReadonly &&
      mayDelete(message, circumstances) && {
        icon: 'trash',
        label: words.deleteMessage,
        isDangerous: true,
        run: () => list.openDialog('delete', message),
      },
  ];
  return offered.filter((item) => item !== false);
}

/** Actions that open a dialog first. */
function dialogItems(message: Message, { panel, list, circumstances, isOthers }: ItemOptions): Item[] {
  const { words, isReadonly } = panel;
  const dialogs: (Omit<Item, 'run'> & { name: DialogName; isOffered: boolean })[] = [
    {
      name: 'move',
      icon: 'move',
      label: words.moveMessages,
      isOffered: !isReadonly && mayMove(message, circumstances),
    },
    { name: 'history', icon: 'history', label: words.viewHistory, isOffered: maySeeHistory(message, circumstances) },
    { name: 'readers', icon: 'eye', label: words.viewReaders, isOffered: maySeeReaders(circumstances) },
    { name: 'report', icon: 'warning', label: words.reportMessage, isOffered: isOthers },
  ];
  return dialogs
    .filter(({ isOffered }) => isOffered)
    .map(({ name, isOffered: _, ...item }) => ({ ...item, run: () => list.openDialog(name, message) }));
}

async function copyLink(message: Message, panel: Panel, list: ListActions): Promise<void> {
  try {
    await navigator.clipboard.writeText(linkTo(message, panel));
    panel.announce(panel.words.linkCopied);
  } catch {
    // Not allowed, or the page is not served over https.
    list.openDialog('link', message);
  }
}

/** On a touch screen a long press opens the menu and selects nothing. */
async function copyText({ id }: Message, { store, words, announce }: Panel): Promise<void> {
  await navigator.clipboard.writeText(await store.messages.markdown(id));
  announce(words.copied);
}

/** Adds the message to the draft of its conversation, in the form that all Zulip clients use. */
async function quote(message: Message, panel: Panel, list: ListActions): Promise<void> {
  const { store } = panel;
  const { id, place, sender_id, sender_full_name } = message;
  const content = await store.messages.markdown(id);
  // Longer than any in the message, which may quote or contain code itself.
  const fence = '`'.repeat(Math.max(3, ...(content.match(/`+/g) ?? []).map((ticks) => ticks.length + 1)));
  const said = `@_**${sender_full_name}|${sender_id}** [said](${linkTo(message, panel)}):`;
  const draft = store.drafts.of(place);
  const before = draft.get().trimEnd();
  draft.set(`${before && `${before}\n\n`}${said}\n${fence}quote\n${content}\n${fence}\n`);
  list.compose(message);
}

const MAX_MARKED_MESSAGES = 5000;

async function markUnreadFrom({ id, place }: Message, { store }: Panel): Promise<void> {
  const narrow = termsOf(place, store.me.get()?.user_id ?? 0);
  await store.session.messages.updateFlagsNarrow({
    ...{ anchor: id, include_anchor: true, num_before: 0, num_after: MAX_MARKED_MESSAGES },
    ...{ narrow, op: 'remove', flag: 'read' },
  });
}
