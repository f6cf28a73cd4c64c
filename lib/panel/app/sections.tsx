/** A long page in sections, with links to them beside it where there is room. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { addStyles } from '../style-sheets.ts';
import sections from './sections.css';

addStyles(sections);

interface Listed {
  readonly title: string;
  readonly section: HTMLElement;
}

/** Adds a section to the list of its page. The result removes it. */
const ListContext = createContext<(listed: Listed) => () => void>(() => () => undefined);

const inOrder = (one: Listed, other: Listed) =>
  one.section.compareDocumentPosition(other.section) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

/** @param label name of the list */
export function Sections({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const [listed, setListed] = useState<readonly Listed[]>([]);
  const [current, setCurrent] = useState<HTMLElement>();
  const page = useRef<HTMLDivElement>(null);
  const add = useCallback((added: Listed) => {
    setListed((before) => [...before, added].sort(inOrder));
    return () => setListed((before) => before.filter((each) => each !== added));
  }, []);
  const onScroll = () => {
    if (!page.current) return;
    const { scrollTop, scrollHeight, clientHeight } = page.current;
    const top = page.current.getBoundingClientRect().top;
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
    const passed = listed.findLast(({ section }) => isAtEnd || section.getBoundingClientRect().top - top < 40);
    setCurrent(passed?.section);
  };
  return (
    <ListContext.Provider value={add}>
      <div ref={page} class="page sections" onScroll={onScroll}>
        <nav class="section-links" aria-label={label}>
          {listed.map(({ title, section }) => (
            <button
              key={title}
              type="button"
              class="nav-link"
              aria-current={section === (current ?? listed[0]?.section) ? 'true' : undefined}
              onClick={() => {
                section.scrollIntoView();
                section.querySelector('h2')?.focus({ preventScroll: true });
                setCurrent(section);
              }}
            >
              {title}
            </button>
          ))}
        </nav>
        <div class="section-column">{children}</div>
      </div>
    </ListContext.Provider>
  );
}

export function Section({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const add = useContext(ListContext);
  const section = useRef<HTMLElement>(null);
  useEffect(() => (section.current ? add({ title, section: section.current }) : undefined), [add, title]);
  return (
    <section ref={section} class="settings-section" aria-label={title}>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
    </section>
  );
}
