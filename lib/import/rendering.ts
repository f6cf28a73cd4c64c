import { groupBy } from '../base/lists.ts';
import { type RenderedContent, renderContents } from '../domains/messages/message-content.ts';
import type { User } from '../model/users.ts';
import type { AccountContext } from '../viewer/context.ts';
import type { Known } from './run.ts';
import type { ImportedMessage } from './source.ts';

/** Links lead to channels that the author can see. The importer sees all channels. */
export async function renderedAll(
  context: AccountContext,
  messages: readonly ImportedMessage[],
  contents: readonly string[],
  known: Known,
): Promise<RenderedContent[]> {
  const { tx, actor } = context;
  const authorAt = (at: number) => known.id('user', (messages[at] as ImportedMessage).author) as number;
  const [linking, others] = [true, false].map((isLinking) =>
    contents.flatMap((content, at) => (content.includes('#**') === isLinking ? [at] : [])),
  ) as [number[], number[]];
  const rendered: RenderedContent[] = [];
  const render = async (places: readonly number[], linksAs: User) => {
    const texts = places.map((at) => contents[at] as string);
    const found = await renderContents(context, actor, texts, actor, { linksAs });
    for (const at of places) rendered[at] = found.get(contents[at] as string) as RenderedContent;
  };
  await render(others, actor);
  const byAuthor = groupBy(linking, authorAt);
  for (const author of await tx.users.byIds([...byAuthor.keys()])) await render(byAuthor.get(author.id) ?? [], author);
  return rendered;
}
