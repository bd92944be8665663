import { defineRouteMiddleware } from '@astrojs/starlight/route-data';

/** In the menu of a product, only the resource of the current page shows its operations. Every other resource is a link to its first operation. */
export const onRequest = defineRouteMiddleware(({ locals: { starlightRoute } }) => {
  if (!starlightRoute.entry.data.operation) return;
  starlightRoute.sidebar = starlightRoute.sidebar.map((resource) => {
    if (resource.type === 'link') return resource;
    const { label, entries } = resource;
    const [first] = entries;
    const isOpen = entries.some((entry) => entry.type === 'link' && entry.isCurrent);
    return isOpen || first?.type !== 'link' ? resource : { ...first, label, badge: undefined };
  });
});
