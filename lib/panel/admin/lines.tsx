/** The lists of administration. */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { plainLetters } from '../../rules/plain-letters.ts';
import { useLimited } from '../app/controls.tsx';
import { useDebounced, useOpen } from '../app/hooks.ts';
import { Label } from '../app/place-names.tsx';
import { Link } from '../app/router.tsx';
import { Button, ErrorText, IconButton } from '../buttons.tsx';
import { Icon } from '../icons.tsx';
import { Avatar } from '../messages/avatar.tsx';
import { Outline } from '../outline.tsx';
import { useAdmin } from './admin-words.ts';
import { Named } from './forms.tsx';
import { Input, SelectField } from './kit.tsx';

/** Rows shown at first, and with each "Show more". */
const ROWS = 50;

interface ListProps<T> {
  /** For screen readers. */
  label: string;
  items: readonly T[] | undefined;
  /** Shown in place of an empty list. */
  empty: string;
  children(item: T): ComponentChildren;
}

/** The start of a list: 10,000 rows would take seconds. */
export function List<T>({ label, items, empty, children }: ListProps<T>): JSX.Element | null {
  const { shown, more } = useLimited(items ?? [], ROWS, 2 * ROWS);
  if (!items) return <Outline of="people" />;
  if (items.length === 0) return <p class="muted">{empty}</p>;
  return (
    <>
      <ul class="rows" aria-label={label}>
        {shown.map(children)}
      </ul>
      {more && <div class="show-more">{more}</div>}
    </>
  );
}

interface LineProps {
  /** A picture or an icon. */
  lead?: ComponentChildren;
  name: ComponentChildren;
  details?: readonly (string | false | null | undefined)[];
  /** The section and ID that the line opens: `people/9`. */
  to?: string;
  tags?: readonly (string | false)[];
  children?: ComponentChildren;
}

export function Line({ lead, name, details = [], to, tags = [], children }: LineProps): JSX.Element {
  const shown = details.filter(Boolean);
  return (
    <li class="channel-line admin-line">
      {lead}
      <div class="channel-text">
        {to === undefined ? (
          <b class="channel-link">
            <Label>{name}</Label>
          </b>
        ) : (
          <Link to={{ view: 'administration', path: to }} class="channel-link whole-line">
            <Label>{name}</Label>
          </Link>
        )}
        {shown.length > 0 && (
          <div class="muted admin-details">
            {shown.map((detail, index) => (
              <span key={index} dir="auto">
                {detail}
              </span>
            ))}
          </div>
        )}
      </div>
      {tags.map((tag) => tag && <Tag key={tag}>{tag}</Tag>)}
      {children}
    </li>
  );
}

export const Tag = ({ children }: { children: ComponentChildren }) => <span class="tag">{children}</span>;

interface Found<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
}

interface FilteredListProps<T> {
  /** For screen readers. */
  label: string;
  /** Label of the field that filters. */
  filter: string;
  found: Found<readonly T[]>;
  nameOf(item: T): string;
  /** What the filter searches. Default: the name. */
  textOf?(item: T): string;
  isActive(item: T): boolean;
  /** Label of those that are not active. */
  others: string;
  countText(count: number): string;
  empty: string;
  children(item: T): ComponentChildren;
}

/** A list by name whose rows open a page, with a filter, and a choice between active and other items. */
export function FilteredList<T>(props: FilteredListProps<T>): JSX.Element {
  const { label, filter, found, nameOf, textOf = nameOf, isActive, others, countText, empty, children } = props;
  const { words, formats } = useAdmin();
  const [query, setQuery] = useState('');
  const [status, setStatus] = useState<'active' | 'others'>('active');
  const text = plainLetters(useDebounced(query.trim()));
  const sorted = useMemo(() => {
    const byName = new Intl.Collator(formats.lang, { numeric: true });
    return found.value && [...found.value].sort((a, b) => byName.compare(nameOf(a), nameOf(b)));
  }, [found.value, formats]);
  const shown = useMemo(
    () =>
      sorted?.filter((item) => isActive(item) === (status === 'active') && plainLetters(textOf(item)).includes(text)),
    [sorted, status, text],
  );
  return (
    <>
      <Input label={filter} type="search" value={query} onInput={setQuery} maxLength={100} />
      <div class="admin-filters">
        <SelectField
          label={words.accountStatus}
          value={status}
          options={[
            ['active', words.active],
            ['others', others],
          ]}
          onChange={(value) => setStatus(value as 'active')}
        />
      </div>
      <ErrorText action={found} />
      <Count text={shown && countText(shown.length)} />
      <List key={`${text} ${status}`} label={label} items={shown} empty={empty}>
        {children}
      </List>
    </>
  );
}

/** How many items match, for screen readers too. */
export function Count({ text }: { text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : (
    <p class="muted" role="status">
      {text}
    </p>
  );
}

interface OpenItemProps<T> {
  /** The section. */
  list: string;
  /** What the list contains: `people`. */
  label: string;
  found: Found<unknown>;
  /** Undefined if it is not there. */
  item: T | undefined;
  children(item: T): ComponentChildren;
}

/** The page of an item, below a link to its list. */
export function OpenItem<T>({ list, label, found, item, children }: OpenItemProps<T>): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <p>
        <Link to={{ view: 'administration', path: list }} class="quiet-link back-link">
          <Icon name="back" />
          {words.backTo(label)}
        </Link>
      </p>
      <ErrorText action={found} />
      {found.value !== undefined && item === undefined && <p class="muted">{words.gone}</p>}
      {item !== undefined && children(item)}
    </>
  );
}

/** A heading with the name of an item, and what else it needs. */
export function ItemHeading({ name, children }: { name: string; children?: ComponentChildren }): JSX.Element {
  return (
    <>
      <h2 class="profile-name">
        <bdi>{name}</bdi>
      </h2>
      {children}
    </>
  );
}

interface AccountHeadingProps {
  userId: number;
  name: string;
  url: string | null | undefined;
  details: readonly string[];
}

/** Name and picture of an account. */
export function AccountHeading({ userId, name, url, details }: AccountHeadingProps): JSX.Element {
  return (
    <div class="profile">
      <span class="picture-large">
        <Avatar userId={userId} name={name} url={url} />
      </span>
      <div>
        <ItemHeading name={name}>
          {details.map((detail) => (
            <p key={detail} class="muted">
              {detail}
            </p>
          ))}
        </ItemHeading>
      </div>
    </div>
  );
}

/** The IDs in their order, with one item a place further up. */
export function idsWithUp(items: readonly { readonly id: number }[] = [], moved: number): number[] {
  const order = items.map(({ id }) => id);
  const index = order.indexOf(moved);
  if (index > 0) order.splice(index - 1, 2, moved, ...order.slice(index - 1, index));
  return order;
}

interface EditableLineProps extends LineProps {
  /** The name for screen readers. */
  label: string;
  /** Undefined: it is the first, or has no order. */
  onUp?: (() => void) | undefined;
  /** Beside the button that opens the settings. */
  actions?: ComponentChildren;
  /** The settings. */
  settings(close: () => void): ComponentChildren;
}

/** A line that opens its settings in place. */
export function EditableLine({ label, onUp, actions, settings, ...line }: EditableLineProps): JSX.Element {
  const { words } = useAdmin();
  const { isOpen, open, close } = useOpen();
  return (
    <Line {...line}>
      {onUp && <IconButton icon="down" class="icon-button turned" label={words.up(label)} onClick={onUp} />}
      <Button onClick={isOpen ? close : open}>
        <Named label={words.edit} name={label} />
      </Button>
      {actions}
      {isOpen && settings(close)}
    </Line>
  );
}
