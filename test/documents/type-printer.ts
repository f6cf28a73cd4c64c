import ts from 'typescript';

const WIDTH = 110;

/** How a type is printed: on one line without names, or formatted for a file. */
interface Layout {
  isPlain: boolean;
  /** The remaining width of the first line. */
  width: number;
  /** Before every line but the first. */
  indent: string;
}

const PLAIN: Layout = { isPlain: true, width: Number.POSITIVE_INFINITY, indent: '' };

interface PrinterOptions {
  names?: ReadonlyMap<string, string>;
  /** Prints lists as readonly. */
  isGiven?: boolean;
  /** The comment above a field. */
  describe?: ((property: ts.Symbol) => string) | undefined;
}

/** Prints inferred types: anonymous ones, and names for those that have one. */
export class TypePrinter {
  readonly #checker: ts.TypeChecker;
  /** Names of types, by their printed content. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #isGiven: boolean;
  readonly #describe: PrinterOptions['describe'];
  readonly #plain = new Map<ts.Type, string>();
  readonly #open = new Set<ts.Type>();
  #used: string[] = [];

  constructor(checker: ts.TypeChecker, { names = new Map(), isGiven = false, describe }: PrinterOptions = {}) {
    this.#describe = describe;
    this.#checker = checker;
    this.#names = names;
    this.#isGiven = isGiven;
  }

  /** All on one line and without names: two types with the same content print the same text. */
  plain(type: ts.Type): string {
    const known = this.#plain.get(type);
    if (known !== undefined) return known;
    if (this.#open.has(type)) throw new Error(`${this.#checker.typeToString(type)} is recursive.`);
    this.#open.add(type);
    const text = this.#write(type, PLAIN);
    this.#open.delete(type);
    this.#plain.set(type, text);
    return text;
  }

  /**
   * Formatted for a file, with later lines indented by `indent`.
   *
   * @param taken used width of the first line
   */
  print(type: ts.Type, indent = '', taken = indent.length): string {
    return this.#nameOf(this.plain(type)) ?? this.printNamed(type, indent, taken);
  }

  /** The type behind a name. */
  printNamed(type: ts.Type, indent = '', taken = indent.length): string {
    return this.#write(type, { isPlain: false, width: WIDTH - taken, indent });
  }

  /** The named types that were printed since the last call, as one line each, with repetitions. */
  takeUsed(): string[] {
    const used = this.#used;
    this.#used = [];
    return used;
  }

  #nameOf(plain: string): string | undefined {
    const name = this.#names.get(plain);
    if (name !== undefined) this.#used.push(plain);
    return name;
  }

  #part(type: ts.Type, { isPlain, indent }: Layout): string {
    return isPlain ? this.plain(type) : this.print(type, indent);
  }

  #write(type: ts.Type, layout: Layout): string {
    if (type.isUnion()) return this.#union(type, layout);
    if (type.isStringLiteral()) return quoted(type.value);
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return this.#checker.typeToString(type);
    if (this.#checker.isTupleType(type)) return this.#tuple(type as ts.TypeReference, layout);
    if (this.#checker.isArrayType(type)) {
      const [element] = this.#checker.getTypeArguments(type as ts.TypeReference) as [ts.Type];
      const prefix = this.#isGiven || type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${prefix}${bracketed(element, this.#part(element, layout))}[]`;
    }
    if (isOfPlatform(type)) {
      // Elements of a list are printed in order.
      if (type.symbol.name !== 'AsyncIterable') return PLATFORM_TYPES[type.symbol.name] ?? type.symbol.name;
      const [element] = this.#checker.getTypeArguments(type as ts.TypeReference) as [ts.Type];
      return `AsyncIterable<${this.#part(element, layout)}>`;
    }
    if (type.getCallSignatures().length > 0) throw new Error(`A function: ${this.#checker.typeToString(type)}`);
    return this.#object(type, layout);
  }

  #object(type: ts.Type, layout: Layout): string {
    const inside = `${layout.indent}  `;
    const member = (head: string, part: ts.Type) => {
      const text = this.#part(part, { ...layout, indent: inside });
      return text.startsWith('\n') ? `${head}:${text}` : `${head}: ${text}`;
    };
    const indexes = this.#checker.getIndexInfosOfType(type).map((info) => {
      return member(`[key: ${this.#checker.typeToString(info.keyType)}]`, info.type);
    });
    const properties = inOrder(this.#checker.getPropertiesOfType(type)).map((property) => {
      const name = /^[\w$]+$/.test(property.name) ? property.name : quoted(property.name);
      const mark = property.flags & ts.SymbolFlags.Optional ? '?' : '';
      const said = layout.isPlain ? undefined : this.#describe?.(property);
      const comment = said === undefined ? '' : `/** ${said.replaceAll('*/', '*\\/')} */\n${inside}`;
      return comment + member(`${name}${mark}`, this.#checker.getTypeOfSymbol(property));
    });
    const members = [...indexes, ...properties];
    if (members.length === 0) return '{}';
    const line = `{ ${members.join('; ')} }`;
    if (line.length <= layout.width && !line.includes('\n')) return line;
    return `{\n${members.map((text) => `${inside}${text};\n`).join('')}${layout.indent}}`;
  }

  /** Sorts alternatives, since the compiler's order depends on which it saw first. */
  #union({ types }: ts.UnionType, layout: Layout): string {
    const given = types.filter((type) => !this.#isAbsence(type));
    const booleans = given.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
    const alternatives = given
      .filter((type) => booleans.length < 2 || !booleans.includes(type))
      .map((type): Alternative => ({ type, plain: this.plain(type), rank: rank(type) }));
    if (booleans.length === 2) alternatives.push({ plain: 'boolean', rank: -1 });
    alternatives.sort((one, other) => one.rank - other.rank || compare(one.plain, other.plain));

    const isOnly = alternatives.length === 1;
    const inside = { ...layout, indent: isOnly ? layout.indent : `${layout.indent}    ` };
    const write = ({ type, plain }: Alternative) => (type ? this.#part(type, inside) : plain);
    // A named schema type keeps its name if it may also be null or undefined.
    const values = alternatives.filter(({ rank }) => rank < NULL);
    const isPart = !layout.isPlain && values.length < alternatives.length;
    const name = isPart ? this.#nameOf(values.map(({ plain }) => plain).join(' | ')) : undefined;
    const texts =
      name === undefined ? alternatives.map(write) : [name, ...alternatives.slice(values.length).map(write)];
    const line = texts.join(' | ');
    if (isOnly || (line.length <= layout.width && !line.includes('\n'))) return line;
    return texts.map((text) => `\n${layout.indent}  | ${text.trimStart()}`).join('');
  }

  /** The `undefined` that the compiler adds to an optional property. */
  #isAbsence(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Undefined) !== 0 && type !== this.#checker.getUndefinedType();
  }

  #tuple(type: ts.TypeReference, layout: Layout): string {
    const { elementFlags, readonly } = type.target as ts.TupleType;
    const elements = this.#checker.getTypeArguments(type).map((element, i) => {
      const text = this.#part(element, layout);
      const flag = elementFlags[i] as ts.ElementFlags;
      if (flag & ts.ElementFlags.Rest) return `...${bracketed(element, text)}[]`;
      return flag & ts.ElementFlags.Optional ? `${bracketed(element, text)}?` : text;
    });
    return `${this.#isGiven || readonly ? 'readonly ' : ''}[${elements.join(', ')}]`;
  }
}

/** A member of a union. Without a type if it stands for two, `true` and `false`. */
interface Alternative {
  type?: ts.Type;
  plain: string;
  rank: number;
}

const NULL = 4;

/** Numbers by size, texts, objects, then `null` and `undefined`. */
function rank(type: ts.Type): number {
  if (type.isNumberLiteral()) return type.value / Number.MAX_SAFE_INTEGER;
  if (type.flags & ts.TypeFlags.Null) return NULL;
  if (type.flags & ts.TypeFlags.Undefined) return NULL + 1;
  return type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? 3 : 2;
}

/** In the order of declaration. The compiler's order depends on which it saw first. */
export function inOrder(properties: readonly ts.Symbol[]): ts.Symbol[] {
  const placed = properties.map((property) => {
    const places = (property.declarations ?? []).map((node) => ({ file: node.getSourceFile().fileName, at: node.pos }));
    // The description from `combining` precedes the schema of a parameter.
    const place = places.sort((one, other) => compare(one.file, other.file) || one.at - other.at).at(-1);
    return { property, file: place?.file ?? '', at: place?.at ?? 0 };
  });
  placed.sort(
    (one, other) =>
      compare(one.file, other.file) || one.at - other.at || compare(one.property.name, other.property.name),
  );
  return placed.map(({ property }) => property);
}

function bracketed(type: ts.Type, text: string): string {
  const isCompound = (type.isUnion() && !/^\w+$/.test(text)) || text.startsWith('readonly ');
  return isCompound ? `(${text})` : text;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Names in `platform-types.ts`, for programs without the types of a platform. */
const PLATFORM_TYPES: Readonly<Record<string, string>> = { Blob: 'BlobLike' };

/** Global types such as `Blob`, which every program has. */
function isOfPlatform({ symbol }: ts.Type): boolean {
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))) return false;
  const files = (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName);
  return files.every((file) => /\/(typescript\/lib|@types\/node|undici-types)\//.test(file));
}
