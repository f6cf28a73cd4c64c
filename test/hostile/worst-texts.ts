const LENGTH = 10_000;

const filled = (fragment: string) => fragment.repeat(Math.floor(LENGTH / fragment.length));
const fenced = (language: string, fragment: string) =>
  `\`\`\`${language}\n${filled(fragment).slice(0, LENGTH - 40)}\n\`\`\``;

/** Messages of the maximum length that are the most expensive to render, store or return. */
export const WORST_TEXTS: readonly string[] = [
  filled('$$\\frac{x_1^2}{\\sqrt{y}}$$ '),
  filled('$$x$$ '),
  `\`\`\`math\n${filled('\\begin{matrix}a&b\\\\c&d\\end{matrix} ').slice(0, 9_900)}\n\`\`\``,
  fenced('typescript', 'const a: Map<string, number[]> = f(/x+/g, `y`);\n'),
  fenced('cpp', 'template<class T> auto f(T&& x) -> decltype(x + 1) { return x; }\n'),
  fenced('spoiler', '> - **a** _b_ `c`\n'),
  filled(':tada: '),
  filled('@**all** '),
  filled('@**Person 1** @_**Person 2** '),
  filled('#**open>topic 1** '),
  filled('http://e.org/a.png '),
  filled('[a](http://e.org/b) '),
  filled('**a** _b_ ~~c~~ `d` '),
  filled('>\n'),
  filled('> > > > - a\n'),
  `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${filled('|x|y|z|\n').slice(0, 9_000)}`,
  filled('<time:2030-01-01T00:00:00Z> '),
  filled('*_'),
  filled('[['),
  filled('![]('),
  filled('漢字'),
  filled('\u{1f680}').slice(0, LENGTH),
];
