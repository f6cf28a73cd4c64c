/** Administration of the organization. One file, fetched with the first use. Each section shows what the user may change. */
import type { FunctionComponent, JSX } from 'preact';
import lists from '../app/lists.css';
import { Label } from '../app/place-names.tsx';
import { Link } from '../app/router.tsx';
import { ViewHeader } from '../app/view-header.tsx';
import { useCell } from '../context.ts';
import { addStyles } from '../style-sheets.ts';
import styles from './admin.css';
import { type AdminWords, useAdmin } from './admin-words.ts';
import { AuditSection } from './audit.tsx';
import { BotsSection } from './bots.tsx';
import { Changes } from './change.tsx';
import { ChannelsSection } from './channels.tsx';
import { EmojiSection } from './emoji.tsx';
import { GroupsSection } from './groups.tsx';
import type { SectionProps } from './kit.tsx';
import { LinkifiersSection } from './linkifiers.tsx';
import { LiveEvents } from './live.tsx';
import { NewAccountsSection } from './new-accounts.tsx';
import { OrganizationSection } from './organization.tsx';
import { PeopleSection } from './people.tsx';
import { ProfileFieldsSection } from './profile-fields.tsx';
import { ReportsSection } from './reports.tsx';
import { SignInSection } from './sign-in.tsx';
import { UsageSection } from './usage.tsx';

addStyles(lists, styles);

const [OWNER, ADMINISTRATOR, MODERATOR] = [100, 200, 300];

interface Section {
  readonly name: string;
  readonly title: (words: AdminWords) => string;
  readonly content: FunctionComponent<SectionProps>;
  /** The lowest role that sees it. */
  readonly role: number;
}

const SECTIONS: readonly Section[] = [
  { name: 'people', title: (words) => words.people, content: PeopleSection, role: ADMINISTRATOR },
  { name: 'channels', title: (words) => words.channels, content: ChannelsSection, role: ADMINISTRATOR },
  { name: 'settings', title: (words) => words.organization, content: OrganizationSection, role: ADMINISTRATOR },
  { name: 'sign-in', title: (words) => words.signIn, content: SignInSection, role: ADMINISTRATOR },
  { name: 'new-accounts', title: (words) => words.newAccounts, content: NewAccountsSection, role: ADMINISTRATOR },
  { name: 'groups', title: (words) => words.groups, content: GroupsSection, role: MODERATOR },
  { name: 'emoji', title: (words) => words.customEmoji, content: EmojiSection, role: MODERATOR },
  { name: 'bots', title: (words) => words.bots, content: BotsSection, role: ADMINISTRATOR },
  { name: 'profile-fields', title: (words) => words.profileFields, content: ProfileFieldsSection, role: ADMINISTRATOR },
  { name: 'links', title: (words) => words.linkifiersAndPlaygrounds, content: LinkifiersSection, role: ADMINISTRATOR },
  { name: 'reports', title: (words) => words.reports, content: ReportsSection, role: MODERATOR },
  { name: 'audit-log', title: (words) => words.auditLog, content: AuditSection, role: OWNER },
  { name: 'usage', title: (words) => words.usage, content: UsageSection, role: ADMINISTRATOR },
];

/** @param path of the address: a section, and the ID of what is open in it */
export function Administration({ path }: { path: string }): JSX.Element {
  const { store, words } = useAdmin();
  const role = useCell(store.me)?.role;
  const [name, id] = path.split('/');
  const sections = SECTIONS.filter((section) => role !== undefined && role <= section.role);
  const open = sections.find((section) => section.name === name);
  const current = open ?? sections[0];
  if (role === undefined) return <ViewHeader title={words.administration} icon="shield" />;
  if (!current)
    return (
      <>
        <ViewHeader title={words.administration} icon="shield" />
        <div class="page">
          <p class="muted">{words.notForYou}</p>
        </div>
      </>
    );
  const Content = current.content;
  return (
    <>
      <ViewHeader title={open ? current.title(words) : words.administration} icon="shield" />
      <div class={`admin ${open ? 'shows-section' : ''}`}>
        <nav class="admin-nav" aria-label={words.sections}>
          <ul class="nav-list">
            {sections.map((section) => (
              <li key={section.name}>
                <Link
                  to={{ view: 'administration', path: section.name }}
                  class="nav-link"
                  isCurrent={section === current}
                >
                  <Label>{section.title(words)}</Label>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="page admin-page" key={path}>
          <LiveEvents>
            <Changes>
              <Content id={/^\d{1,15}$/.test(id ?? '') ? Number(id) : undefined} />
            </Changes>
          </LiveEvents>
        </div>
      </div>
    </>
  );
}
