import { dirname, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { registered } from '../../lib/internal.ts';
import { type Named, type ReadTypes, readTypes } from './read-types.ts';
import { inOrder, TypePrinter } from './type-printer.ts';

export const STATE_SCHEMAS = 'lib/openapi/state-schemas.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of that file: schemas of the parts of the initial state, for the description of the API. */
export function stateSchemas(): string {
  const types = readTypes();
  const printer = new SchemaPrinter(types);
  const parts = types.members('States');
  const lines = Object.keys(registered.initialState).map((name) => {
    const part = parts.get(name) as ts.Type;
    return `  ${name}: v.object({\n${printer.entries(part, '    ')}  }),\n`;
  });
  const imports = [...printer.used].map(({ exportedAs, file }) => {
    const path = relative(dirname(`/${STATE_SCHEMAS}`), `/${file.slice(ROOT.length)}`);
    return `import { ${exportedAs} } from '${path}';\n`;
  });
  return `// Written by \`npm run documents\` from the functions of the features; a test compares.
import * as v from 'valibot';
${imports.sort().join('')}
/** The state a client starts from, by fetch type. */
export const STATES: Readonly<Record<string, v.ObjectSchema<v.ObjectEntries, undefined>>> = {
${lines.join('')}};
`;
}

/** Writes types as schemas. Uses the name of a library schema with the same type. */
class SchemaPrinter {
  readonly used = new Set<Named>();
  readonly #checker: ts.TypeChecker;
  readonly #plain: TypePrinter;
  readonly #named: ReadonlyMap<string, Named>;

  constructor({ checker, named }: ReadTypes) {
    this.#checker = checker;
    this.#plain = new TypePrinter(checker);
    this.#named = new Map(named.map((one) => [one.plain, one]));
  }

  /** The fields of an object, each on its own line. */
  entries(type: ts.Type, indent: string): string {
    return inOrder(this.#checker.getPropertiesOfType(type))
      .map((property) => {
        const said = ts.displayPartsToString(property.getDocumentationComment(this.#checker)).replaceAll('\n', ' ');
        const schema = this.#schema(this.#checker.getTypeOfSymbol(property));
        const described = said === '' ? schema : `v.pipe(${schema}, v.description(${JSON.stringify(said)}))`;
        const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
        return `${indent}${property.name}: ${isOptional ? `v.optional(${described})` : described},\n`;
      })
      .join('');
  }

  #schema(type: ts.Type): string {
    const named = this.#named.get(this.#plain.plain(type));
    if (named) {
      this.used.add(named);
      return named.exportedAs;
    }
    if (type.isUnion()) return this.#union(type);
    if (type.isStringLiteral()) return `v.literal(${JSON.stringify(type.value)})`;
    if (type.isNumberLiteral()) return `v.literal(${type.value})`;
    if (type.flags & ts.TypeFlags.BooleanLiteral) return `v.literal(${this.#checker.typeToString(type)})`;
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
      const name = this.#checker.typeToString(type);
      if (!/^(string|number|boolean|null|unknown)$/.test(name)) throw new Error(`No schema is known for ${name}.`);
      return `v.${name}()`;
    }
    if (this.#checker.isTupleType(type)) return `v.tuple([${this.#arguments(type).join(', ')}])`;
    if (this.#checker.isArrayType(type)) return this.#array(type);
    const [index] = this.#checker.getIndexInfosOfType(type);
    if (index) return `v.record(v.string(), ${this.#schema(index.type)})`;
    return `v.object({ ${this.entries(type, '').replaceAll('\n', ' ')}})`;
  }

  #array(type: ts.Type): string {
    const [element] = this.#checker.getTypeArguments(type as ts.TypeReference) as [ts.Type];
    if (element.flags & ts.TypeFlags.Never) return 'v.pipe(v.array(v.unknown()), v.maxLength(0))';
    return `v.array(${this.#schema(element)})`;
  }

  #arguments(type: ts.Type): string[] {
    return this.#checker.getTypeArguments(type as ts.TypeReference).map((element) => this.#schema(element));
  }

  #union({ types }: ts.UnionType): string {
    const values = types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
    const text = this.#alternatives(values);
    return types.some(({ flags }) => flags & ts.TypeFlags.Null) ? `v.nullable(${text})` : text;
  }

  #alternatives(types: readonly ts.Type[]): string {
    const [first, ...others] = types as [ts.Type, ...ts.Type[]];
    if (others.length === 0) return this.#schema(first);
    if (types.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)) return 'v.boolean()';
    const literals = types.map((type) => (type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined));
    if (literals.every((value) => value !== undefined)) {
      const sorted = literals.sort((one, other) => (one < other ? -1 : 1));
      return `v.picklist(${JSON.stringify(sorted).replaceAll(',', ', ')})`;
    }
    return `v.union([${types
      .map((type) => this.#schema(type))
      .sort()
      .join(', ')}])`;
  }
}
