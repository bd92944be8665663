import type { Page } from 'playwright-core';
import { type Fault, faults, findFaults, prepareAxe } from './axe.ts';

/**
 * Texts of one look that axe checks on a page, and pages on which it checks them if it cannot tell, such as of a single
 * character. A look that passes need not be checked again.
 */
const most = 3;

const contrast = 'color-contrast';
const linkInText = 'link-in-text-block';
const colorRules = [contrast, linkInText];

/** What colours must keep. */
const levels = {
  /** The rules of colours that axe checks on any page. */
  usual: { contrastRules: [contrast], rules: colorRules },
  /** The stricter rule of contrast, too. */
  strict: { contrastRules: [contrast, 'color-contrast-enhanced'], rules: [...colorRules, 'color-contrast-enhanced'] },
  /** Only contrast. */
  contrast: { contrastRules: [contrast], rules: [contrast] },
};
export type Level = keyof typeof levels;

/** Looks of text without a fault, in this process, and how often they were checked. */
const checks = new Map<string, number>();

/**
 * What axe finds in a page, as `findFaults`, in less time: contrast takes half of axe's time, and most looks of a page are
 * those of the page before.
 */
export async function findPageFaults(page: Page): Promise<Fault[]> {
  const others = await findFaults(page, { without: colorRules });
  return [...others, ...(await findColorFaults(page, 'usual'))];
}

/**
 * What axe finds in the colours of a page. The contrast of a text follows from its look: its colours, size and weight, and
 * all that is behind it. So each look is checked once, not on every page.
 * The page must have no shadow roots.
 */
export async function findColorFaults(page: Page, level: Level): Promise<Fault[]> {
  await prepareAxe(page);
  const prefix = `${level} `;
  const known = [...checks].flatMap(([look, count]) =>
    count >= most && look.startsWith(prefix) ? [look.slice(prefix.length)] : [],
  );
  const { found, passed, unclear } = await page.evaluate(checkLooks, { known, most, ...levels[level] });
  const result = faults.parse(found);
  if (result.length > 0) return result;
  for (const look of passed) checks.set(prefix + look, most);
  for (const look of unclear) checks.set(prefix + look, (checks.get(prefix + look) ?? 0) + 1);
  return result;
}

/** Runs in the page. */
async function checkLooks({
  known,
  most,
  contrastRules,
  rules,
}: {
  known: string[];
  most: number;
  contrastRules: string[];
  rules: string[];
}): Promise<{ found: Fault[]; passed: string[]; unclear: string[] }> {
  const behind = new WeakMap<Element, string>();
  /** What an element and those around it put behind a text. */
  const backgroundOf = (element: Element): string => {
    const remembered = behind.get(element);
    if (remembered !== undefined) return remembered;
    const style = getComputedStyle(element);
    const isFlat = style.backgroundColor === 'rgba(0, 0, 0, 0)' && style.backgroundImage === 'none';
    const own = isFlat ? '' : `${style.backgroundColor} ${style.backgroundImage}`;
    const effects = [style.opacity, style.filter, style.mixBlendMode].join(' ');
    // What is out of the flow may have anything behind it.
    const place = ['static', 'relative'].includes(style.position) ? '' : `${element.tagName}.${element.className}`;
    const outer = element.parentElement ? backgroundOf(element.parentElement) : '';
    const parts = [own, effects === '1 none normal' ? '' : effects, place].filter((part) => part !== '');
    const text = parts.length > 0 ? `${outer} < ${parts.join(' ')}` : outer;
    behind.set(element, text);
    return text;
  };
  const lookOf = (element: Element): string => {
    const style = getComputedStyle(element);
    const font = [style.color, style.webkitTextFillColor, style.fontSize, style.fontWeight, style.textShadow];
    const isDisabled = element.matches(':disabled, [aria-disabled="true"]');
    // A link in a text must differ from it.
    const { parentElement: block } = element;
    const isInText = block && element.matches('a[href]') && block.textContent !== element.textContent;
    const link = isInText ? [getComputedStyle(block).color, style.textDecorationLine, style.borderBottomStyle] : [];
    return [isDisabled, ...font, ...link, backgroundOf(element)].join('|');
  };
  const hasText = (element: Element): boolean =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());

  const seen = new Set(known);
  const looks = new Map<string, Element[]>();
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasText(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const look = lookOf(element);
    if (seen.has(look)) continue;
    const same = looks.get(look) ?? [];
    looks.set(look, same);
    if (same.length < most) same.push(element);
  }
  const include = [...looks.values()].flat();
  if (include.length === 0) return { found: [], passed: [], unclear: [] };
  const { passes, violations } = await window.axe.run(
    { include },
    {
      preload: false,
      elementRef: true,
      resultTypes: ['violations', 'passes'],
      runOnly: rules,
    },
  );
  const right = (rule: string): Set<unknown> =>
    new Set(passes.filter(({ id }) => id === rule).flatMap(({ nodes }) => nodes.map(({ element }) => element)));
  const sets = contrastRules.map(right);
  const isRight = (same: readonly Element[]): boolean => same.some((element) => sets.every((set) => set.has(element)));
  const names = (asked: boolean): string[] =>
    [...looks].filter(([, same]) => isRight(same) === asked).map(([look]) => look);
  return {
    found: violations.map(({ id, impact, nodes }) => ({
      id,
      impact: impact ?? null,
      nodes: nodes.map(({ html }) => html),
    })),
    passed: names(true),
    unclear: names(false),
  };
}
