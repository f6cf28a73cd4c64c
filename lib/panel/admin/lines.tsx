/** The lists of administration. */
import type { ComponentChildren, JSX } from 'preact';
import { useLimited } from '../app/controls.tsx';
import { Label } from '../app/place-names.tsx';
import { Link } from '../app/router.tsx';
import { Icon } from '../icons.tsx';
import { Outline } from '../outline.tsx';

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

/** A link to the list that something belongs to. */
export function BackLink({ to, label }: { to: string; label: string }): JSX.Element {
  return (
    <p>
      <Link to={{ view: 'administration', path: to }} class="quiet-link back-link">
        <Icon name="back" />
        {label}
      </Link>
    </p>
  );
}
