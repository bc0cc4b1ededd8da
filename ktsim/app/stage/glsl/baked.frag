#version 150
#include lights.glsl
#include ghosts.glsl
uniform sampler2DArray tiles;
uniform sampler2D ground_tile;
uniform float exposure;
in vec3 sun, around, tile, shadow_place;
flat in float edges;
out vec4 result;

float sunlit() {
#if SHADOW_TAPS > 1
    float lit = 0.;
    for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++)
        lit += .25 * texture(shadow_map, shadow_place + vec3((vec2(x, y) - .5) * 1.4 * shadow_softness, 0));
    return lit;
#else
    return texture(shadow_map, shadow_place);
#endif
}

void main() {
#if !defined FLOOR && !defined TABLE    // nobody stands behind those, and they are most of the picture
    if (edges > 0. && is_sifted()) discard;     // figures have none
#endif
#ifdef VEIL
    if (mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.) < 1.) discard;
#endif
#ifdef WATER
    if (texture(shore, tile.xy).r > .006) discard;
#endif
#ifdef TABLE
    vec3 c = around + sun;      // nothing of interest throws a shadow out there, and it is a third of the picture
#else
    vec3 c = around + sun * sunlit();
#endif
#ifdef FLOOR
    vec3 texel = texture(ground_tile, tile.xy).rgb;
    c *= texel * texel * BAKE_SCALE;
#else
#ifndef TABLE
    vec3 texel = texture(tiles, tile).rgb;
    c *= texel * texel * BAKE_SCALE;
#endif
#endif
#ifdef LINEAR
    result = vec4(c, edges);   // the composite maps tones
#else
    result = vec4(tone_mapped(c * exposure), 1.);
#endif
}
